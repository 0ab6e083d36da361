import type { APIRouteSpec } from "@gatewright/resources";
import type { RouteActionOf } from "../route-messages.ts";
import type { RouteDraft } from "../route-draft.ts";

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Answers without asking anyone. */
export function directResponse(
  { status, body, headers }: NonNullable<APIRouteSpec["directResponse"]>,
  draft: RouteDraft,
): RouteActionOf {
  for (const [name, value] of Object.entries(headers ?? {})) draft.setResponseHeader(name, value);
  const text = BODILESS.has(status) ? undefined : body;
  const typed = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === "content-type");
  if (text !== undefined && !typed) draft.setResponseHeader("content-type", "text/plain; charset=utf-8");
  const content =
    text === undefined || text === "" ? undefined : ({ specifier: { case: "inlineString", value: text } } as const);
  return () => ({ case: "directResponse", value: { status, ...(content !== undefined && { body: content }) } });
}
