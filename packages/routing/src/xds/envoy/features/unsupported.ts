import type { RouteDraft } from "../route-draft.ts";

type Block = Readonly<Record<string, unknown>> | undefined;

/** Blocks that Envoy has nothing for, with what becomes of them. Those that protect close the route. */
const BLOCKS: readonly (readonly [field: string, protects: boolean, message: string])[] = [
  ["aggregate", true, "one request cannot be sent to many"],
  ["maxSessions", true, "requests at the same time are counted for whole backends only: set it there"],
  ["openAPIValidation", true, "bodies are not checked"],
  ["protoValidation", true, "messages are not checked"],
  ["cache", false, "answers are not kept"],
  ["encoding", false, "formats of bodies are not changed"],
];

/** Says what a route asks for and does not get. */
export function unsupported(spec: Readonly<Record<string, unknown>>, draft: RouteDraft): void {
  for (const [field, protects, message] of BLOCKS) {
    const block = spec[field] as Block;
    if (block === undefined || block["enabled"] === false) continue;
    if (protects) draft.close(field, message);
    else draft.lacks(field, message);
  }
}

/** `transform` of routes: bodies stay as they are; fields of the head with fixed values are set. */
export function transform(spec: Block, draft: RouteDraft): void {
  const request = spec?.["request"] as Block;
  for (const [name, value] of Object.entries((request?.["staticHeaders"] as Record<string, string> | undefined) ?? {}))
    draft.setRequestHeader(name, value);
  const metadata = spec?.["metadata"] as Block;
  for (const [name, value] of Object.entries((metadata?.["static"] as Record<string, string> | undefined) ?? {}))
    draft.setRequestHeader(name, value);
  const bodies = Object.keys(request ?? {}).filter((key) => key !== "staticHeaders" && key !== "passthroughBody");
  const others = Object.keys(spec ?? {}).filter((key) => key !== "request" && key !== "metadata");
  const dynamic = Object.keys(metadata ?? {}).filter((key) => key !== "static");
  const lost = [...bodies.map((key) => `request.${key}`), ...others, ...dynamic.map((key) => `metadata.${key}`)];
  for (const field of lost) draft.lacks(`transform.${field}`, "has no effect");
}

/** GraphQL is not understood: what depends on the operation is closed. */
export function graphql(spec: Readonly<Record<string, unknown>>, draft: RouteDraft): void {
  const matches = (spec["match"] as readonly Block[] | undefined) ?? [];
  for (const [place, match] of matches.entries())
    for (const field of ["operationType", "operationName"])
      if (match?.[field] !== undefined) draft.close(`match[${place}].${field}`, "operations are not told apart");
  for (const field of ["depthLimit", "complexityLimit"])
    if (Number(spec[field] ?? 0) > 0) draft.close(field, "queries are not read");
  if (spec["introspectionEnabled"] === false) draft.close("introspectionEnabled", "queries are not read");
  if (((spec["allowedOperations"] as readonly string[] | undefined) ?? []).length > 0)
    draft.close("allowedOperations", "operations are not told apart");
  const schema = spec["schemaValidation"] as Block;
  if (schema !== undefined && schema["enabled"] !== false) draft.close("schemaValidation", "queries are not checked");
}
