import { formatGroupVersion, parseGroupVersion } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { Converted, HubConversion, Spoke } from "./hub-conversion.ts";

/** An object cannot be translated; asking again will not help. */
export class ConversionError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ConversionError";
  }
}

/** The object in the version that is asked for, by way of the hub. Throws {@link ConversionError}, or what a conversion throws. */
export function convertObject(
  { hub, spokes }: HubConversion,
  object: Immutable<ApiObject>,
  apiVersion: string,
): Immutable<ApiObject> {
  const group = parseGroupVersion(object.apiVersion)?.group;
  if (object.kind !== hub.kind || group !== hub.group) {
    throw new ConversionError(
      `${object.apiVersion} ${object.kind} is not converted here, but ${hub.kind} of ${hub.group}`,
    );
  }
  const hubVersion = formatGroupVersion(hub);
  const spokeOf = (wanted: string): Spoke => {
    const found = spokes.find(({ version }) => formatGroupVersion({ group: hub.group, version }) === wanted);
    if (found === undefined) throw new ConversionError(`${hub.kind} has no version ${wanted}`);
    return found;
  };
  let at = object;
  if (at.apiVersion === apiVersion) return at;
  if (at.apiVersion !== hubVersion) at = complete(at, hubVersion, spokeOf(at.apiVersion).toHub(at));
  if (apiVersion !== hubVersion) at = complete(at, apiVersion, spokeOf(apiVersion).fromHub(at));
  return at;
}

function complete(
  from: Immutable<ApiObject>,
  apiVersion: string,
  { metadata = from.metadata, ...rest }: Converted<ApiObject>,
): Immutable<ApiObject> {
  const { labels: _labels, annotations: _annotations, ...identity } = from.metadata;
  const { labels, annotations } = metadata;
  return {
    ...rest,
    apiVersion,
    kind: from.kind,
    metadata: {
      ...identity,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
  };
}
