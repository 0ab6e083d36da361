import { createHash } from "node:crypto";
import { getOwn, getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { OBJECT_KINDS } from "../objects.ts";
import type { GivenObject, ObjectKind } from "../objects.ts";

/** What is wrong with a document: an error when an object is lost by it. */
export interface DocumentProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
}

/** What a document gives: objects, and what is wrong with it. */
export interface Given {
  readonly objects: readonly GivenObject[];
  readonly problems: readonly DocumentProblem[];
}

const GROUP_NAME = "avapigw.io";
const GROUP = `${GROUP_NAME}/v1alpha1`;
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const LONGEST_NAME = 253;

/** Objects in the settings themselves, as boot files of AVAPIGW have them: specs with a name. */
const INLINE: readonly (readonly [list: string, kind: ObjectKind])[] = [
  ["routes", "APIRoute"],
  ["grpcRoutes", "GRPCRoute"],
  ["graphqlRoutes", "GraphQLRoute"],
  ["backends", "Backend"],
  ["grpcBackends", "GRPCBackend"],
  ["graphqlBackends", "GraphQLBackend"],
];

/** The objects of a document: one, or the items of a List. Their specs are not checked. Objects without namespace are in `default`. */
export function givenObjects(document: Json): Given {
  if (!isObject(document)) return lost("write an object with apiVersion and kind");
  const { apiVersion, kind } = document;
  if (apiVersion === "v1" && kind === "List") {
    const items = Array.isArray(document["items"]) ? document["items"] : [];
    return together(items.map(givenObjects));
  }
  if (apiVersion !== GROUP || !isKind(kind)) {
    const message = `${shown(kind)} of ${shown(apiVersion)} is not for gateways: those are of ${GROUP}, ${OBJECT_KINDS.join(", ")}`;
    // Of the group of gateways it is one of theirs, misspelt.
    const severity = typeof apiVersion === "string" && apiVersion.startsWith(`${GROUP_NAME}/`) ? "error" : "warning";
    return { objects: [], problems: [{ severity, message }] };
  }
  const name = getPath(document, "metadata", "name");
  const namespace = getPath(document, "metadata", "namespace") ?? "default";
  const created = getPath(document, "metadata", "creationTimestamp");
  return object(
    kind,
    namespace,
    name,
    getOwn(document, "spec") ?? {},
    typeof created === "string" ? created : undefined,
  );
}

/** The objects that settings hold themselves. */
export function inlineObjects(settings: JsonObject): Given {
  const namespace = getPath(settings, "metadata", "namespace") ?? "default";
  return together(
    INLINE.flatMap(([list, kind]) => {
      const items = getPath(settings, "spec", list);
      return (Array.isArray(items) ? items : []).map((item) => {
        if (!isObject(item)) return lost(`spec.${list}: write objects with a name`);
        const { name, ...spec } = item;
        return object(kind, namespace, name, spec, undefined);
      });
    }),
  );
}

function object(
  kind: ObjectKind,
  namespace: Json,
  name: Json | undefined,
  spec: Json,
  createdAt: string | undefined,
): Given {
  if (!isName(name)) return lost(`${kind}: write metadata.name: lower-case letters, digits, - and .`);
  if (!isName(namespace)) return lost(`${kind} ${name}: metadata.namespace is no name`);
  const version = createHash("sha256").update(JSON.stringify(spec)).digest("base64url").slice(0, 16);
  return {
    objects: [{ kind, namespace, name, version, spec, isLocal: true, ...(createdAt !== undefined && { createdAt }) }],
    problems: [],
  };
}

function together(given: readonly Given[]): Given {
  return {
    objects: given.flatMap(({ objects }) => objects),
    problems: given.flatMap(({ problems }) => problems),
  };
}

const lost = (message: string): Given => ({ objects: [], problems: [{ severity: "error", message }] });
const isKind = (kind: unknown): kind is ObjectKind => (OBJECT_KINDS as readonly unknown[]).includes(kind);
const isName = (value: Json | undefined): value is string =>
  typeof value === "string" && value.length <= LONGEST_NAME && NAME.test(value);
const shown = (value: Json | undefined): string =>
  typeof value === "string" && value.length < 100 ? value : "something";
