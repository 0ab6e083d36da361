import type { RouteDraft } from "../route-draft.ts";

/** Changes of one side's fields. */
export interface HeaderChanges {
  readonly set?: Readonly<Record<string, string>>;
  readonly add?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
}

export interface HeadersSpec {
  readonly request?: HeaderChanges;
  readonly response?: HeaderChanges;
}

/** Sets, adds and removes fields both ways. Envoy, too, removes first. */
export function headers({ request, response }: HeadersSpec, draft: RouteDraft): void {
  draft.requestHeadersGone.push(...names(request?.remove));
  draft.responseHeadersGone.push(...names(response?.remove));
  for (const [name, value] of Object.entries(request?.set ?? {})) draft.setRequestHeader(name, value.trim());
  for (const [name, value] of Object.entries(request?.add ?? {})) draft.addRequestHeader(name, value.trim());
  for (const [name, value] of Object.entries(response?.set ?? {})) draft.setResponseHeader(name, value.trim());
  for (const [name, value] of Object.entries(response?.add ?? {})) draft.addResponseHeader(name, value.trim());
}

/** Envoy refuses what its own work hangs on; our gateway takes that away in any case. */
function names(list: readonly string[] | undefined): string[] {
  return (list ?? []).map((name) => name.toLowerCase()).filter((name) => name !== "host" && !name.startsWith(":"));
}
