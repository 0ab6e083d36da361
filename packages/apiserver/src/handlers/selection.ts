import { SelectorError, badRequest, parseFieldSelector, parseLabelSelector, quote } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { Resource, ServedVersion } from "../resources/resource.ts";
import type { Entry, Table } from "../store/store.ts";

/** Which objects of a table a list, a watch or a deletecollection is about. */
export interface Selection {
  /** Keys outside this prefix are never asked about. */
  readonly prefix: string;
  /** Every object under the prefix matches. */
  readonly everything: boolean;
  matches(entry: Entry): boolean;
}

type FieldReader = (object: KubeObject) => string;

const METADATA_FIELDS = new Map<string, FieldReader>([
  ["metadata.name", (object) => object.metadata.name ?? ""],
  ["metadata.namespace", (object) => object.metadata.namespace ?? ""],
]);

function fieldReader(resource: Resource, version: ServedVersion, label: string): FieldReader {
  const own = { ...resource.strategy.fieldLabels, ...version.fieldLabels };
  if (Object.hasOwn(own, label)) return own[label]!;
  const common = METADATA_FIELDS.get(label);
  if (common && (label !== "metadata.namespace" || resource.namespaced)) return common;
  if (!resource.custom && Object.keys(own).length === 0) {
    throw badRequest(`${quote(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
  }
  throw badRequest(`field label not supported: ${label}`);
}

/** Reads the selectors of a request. Throws 400 for those that this resource does not know. */
export function selection(
  resource: Resource,
  version: ServedVersion,
  table: Table,
  namespace: string,
  options: { readonly labelSelector: string; readonly fieldSelector: string },
): Selection {
  const prefix = namespace === "" ? "" : `${namespace}/`;
  const labels = options.labelSelector === "" ? undefined : parsed(parseLabelSelector, options.labelSelector);
  const fields = (options.fieldSelector === "" ? [] : parsed(parseFieldSelector, options.fieldSelector)).map(
    (term) => ({
      ...term,
      read: fieldReader(resource, version, term.label),
    }),
  );
  const byLabels = labels && !labels.empty ? labels : undefined;
  return {
    prefix,
    everything: byLabels === undefined && fields.length === 0,
    matches(entry) {
      if (byLabels && !byLabels.matches(entry.labels ?? {})) return false;
      if (fields.length === 0) return true;
      const object = table.decode(entry);
      return fields.every((term) => (term.read(object) === term.value) === (term.operator === "="));
    },
  };
}

function parsed<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

/** The name that a field selector pins, which RBAC's resourceNames apply to. */
export function pinnedName(fieldSelector: string): string {
  if (!fieldSelector.includes("metadata.name")) return "";
  try {
    const terms = parseFieldSelector(fieldSelector);
    return terms.find((term) => term.label === "metadata.name" && term.operator === "=")?.value ?? "";
  } catch {
    // A selector that does not parse pins nothing; the handler refuses it after authorization.
    return "";
  }
}
