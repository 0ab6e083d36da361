import { formatGroupResource } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { Random } from "@gatewright/ports";
import type { WebhookCaller } from "../admission/webhooks/webhook-client.ts";
import { struct, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { STORED_VERBS } from "../resources/verbs.ts";
import { renamingConverter, webhookConverter } from "./conversion.ts";
import type { Converter } from "./conversion.ts";
import { servedVersions, viewCrd } from "./crd-view.ts";
import { customStrategy } from "./custom-strategy.ts";
import { compileVersion, refit, servedVersion } from "./custom-version.ts";
import type { CustomVersion } from "./custom-version.ts";

export interface CustomResourceDeps {
  readonly random: Random;
  /** Calls conversion webhooks. */
  readonly callWebhook: WebhookCaller;
  /**
   * Every stored object was written under this very definition, so that its bytes need no second look. When in doubt it
   * is false: objects then are pruned and defaulted anew as they are read.
   */
  readonly storedAsDefined: boolean;
  /** Whether the definition is being deleted: then nothing new may be created. */
  terminating(): boolean;
}

/** The resource that a CustomResourceDefinition describes. Its names are those that were accepted. */
export function customResource(crd: KubeObject, deps: CustomResourceDeps): Resource {
  const view = viewCrd(crd);
  const { group, names } = view;
  const accepted = view.acceptedNames.plural === "" ? names : view.acceptedNames;
  const versions = new Map(view.versions.map((declared) => [declared.name, compileVersion(view, declared)]));
  const storage = [...versions.values()].find((v) => v.declared.storage);
  if (!storage) throw new Error(`${view.name} has no storage version`);
  const convertTo = conversion(versions, converter(crd, deps), deps.storedAsDefined, group);
  return {
    group,
    resource: names.plural,
    singular: accepted.singular,
    kind: names.kind,
    listKind: accepted.listKind,
    namespaced: view.namespaced,
    shortNames: accepted.shortNames,
    categories: accepted.categories,
    versions: servedVersions(view).map(({ name }) => servedVersion(view, versions.get(name)!)),
    storageVersion: storage.declared.name,
    table: formatGroupResource({ group, resource: names.plural }),
    verbs: STORED_VERBS,
    strategy: customStrategy(view, versions, storage),
    strategicMerge: false,
    custom: true,
    convert: convertTo,
    servesStoredBytes: (version) =>
      version === storage.declared.name && deps.storedAsDefined && view.storedVersions.length <= 1,
    creationRefused: () =>
      deps.terminating() ? "create not allowed while custom resource definition is terminating" : undefined,
  };
}

function converter(crd: KubeObject, deps: CustomResourceDeps): Converter {
  const declared = struct(crd, "spec", "conversion");
  const webhook = struct(declared, "webhook");
  if (text(declared, "strategy") !== "Webhook" || !webhook) return renamingConverter;
  return webhookConverter(webhook, deps.callWebhook, deps.random);
}

/**
 * Conversion over all versions: an object that is read from an older definition is brought up to date in its own version
 * first; whatever a converter returns is pruned by the schema of its new version.
 */
function conversion(
  versions: ReadonlyMap<string, CustomVersion>,
  convert: Converter,
  storedAsDefined: boolean,
  group: string,
): Resource["convert"] {
  const current = (object: KubeObject): KubeObject => {
    const version = versions.get(object.apiVersion.slice(group.length + 1));
    return storedAsDefined || !version ? object : refit(object, version);
  };
  return (objects, name) => {
    const target = versions.get(name);
    if (!target) throw new Error(`${group} has no version ${name}`);
    const { apiVersion, schema } = target;
    const ready = objects.map(current);
    const foreign = ready.filter((object) => object.apiVersion !== apiVersion);
    if (foreign.length === 0) return ready;
    const merge = (converted: readonly KubeObject[]): KubeObject[] => {
      let next = 0;
      return ready.map((object) => {
        if (object.apiVersion === apiVersion) return object;
        const made = converted[next++]!;
        schema.prune(made, { dropInvalid: true, quiet: true });
        // Stored objects have the defaults of their own version; others keep what the converter gave them.
        if (target.declared.storage) schema.applyDefaults(made);
        return made;
      });
    };
    const converted = convert(foreign, apiVersion);
    return converted instanceof Promise ? converted.then(merge) : merge(converted);
  };
}
