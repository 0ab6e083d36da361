import { builtinType, decodeBuiltin, formatGroupResource } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { plainStrategy } from "../../resources/plain-strategy.ts";
import type { Resource, WriteContext } from "../../resources/resource.ts";

/** A question to the server: POST it, and the answer is the same object with its status filled in. Nothing is stored. */
export interface Review {
  readonly group: string;
  readonly kind: string;
  readonly namespaced?: boolean;
  answer(question: KubeObject, context: WriteContext): KubeObject;
}

/** A review as the registry has it: `create` is its only verb. */
export function reviewResource(review: Review): Resource {
  const { group, kind, namespaced = false } = review;
  const type = builtinType(group, "v1", kind);
  if (!type) throw new Error(`the table of built-in types has no ${group}/v1 ${kind}`);
  const resource = `${kind.toLowerCase()}s`;
  return {
    group,
    resource,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    namespaced,
    shortNames: [],
    categories: [],
    versions: [
      {
        version: "v1",
        type,
        decode: (body) => decodeBuiltin(body, type),
        normalize: (object) => decodeBuiltin(object, type).object,
        columns: { definitions: [], cells: () => [] },
        subresources: new Map(),
      },
    ],
    storageVersion: "v1",
    table: formatGroupResource({ group, resource }),
    verbs: ["create"],
    strategy: plainStrategy,
    strategicMerge: false,
    custom: false,
    convert: (objects) => objects,
    servesStoredBytes: () => false,
    review: async (body, context) => review.answer(body, context),
  };
}
