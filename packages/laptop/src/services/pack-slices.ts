import { isDeepStrictEqual } from "node:util";
import type { Immutable } from "@gatewright/kube";
import type { discovery } from "@gatewright/kube/api";
import { contentOf, portsKey } from "./port-groups.ts";
import type { PortGroup } from "./port-groups.ts";

type Slice = Immutable<discovery.EndpointSlice>;
type Endpoint = Immutable<discovery.Endpoint>;

/** What is to become of the slices of a Service. */
export interface Packing {
  /** Slices that stay, and what they hold from now on; the same as before for most. */
  readonly kept: readonly { readonly slice: Slice; readonly content: PortGroup }[];
  readonly added: readonly PortGroup[];
  readonly removed: readonly Slice[];
}

interface Draft {
  readonly slice: Slice;
  readonly endpoints: Endpoint[];
  changed: boolean;
}

const PLACEHOLDER: PortGroup = { ports: [], endpoints: [] };

/**
 * Packs endpoints into slices of at most `limit`, with as few writes as can be: an endpoint stays where it is; a new one goes where
 * something changes anyway, then into the fullest slice that has room for all that are left, then into a new slice. Within a slice they
 * are in the order in which they are given. A Service without endpoints has one empty slice. A slice that is no longer needed becomes one that is, before any is made or removed.
 */
export function packSlices(existing: readonly Slice[], groups: readonly PortGroup[], limit: number): Packing {
  const kept: { slice: Slice; content: PortGroup }[] = [];
  const added: PortGroup[] = [];
  const removed: Slice[] = [];
  const byPorts = Map.groupBy(existing, (slice) => portsKey(contentOf(slice).ports));
  for (const { ports, endpoints } of groups) {
    const key = portsKey(ports);
    const { drafts, fresh } = placeGroup(byPorts.get(key) ?? [], endpoints, limit);
    byPorts.delete(key);
    for (const { slice, endpoints: held } of drafts) {
      if (held.length > 0) kept.push({ slice, content: { ...contentOf(slice), endpoints: held } });
      else removed.push(slice);
    }
    for (const chunk of fresh) added.push({ ports, endpoints: chunk });
  }
  for (const slices of byPorts.values()) removed.push(...slices);
  if (kept.length + added.length === 0) added.push(PLACEHOLDER);
  const reused = Math.min(added.length, removed.length);
  for (let i = 0; i < reused; i++) kept.push({ slice: removed[i]!, content: added[i]! });
  return { kept, added: added.slice(reused), removed: removed.slice(reused) };
}

function placeGroup(
  slices: readonly Slice[],
  endpoints: readonly Endpoint[],
  limit: number,
): { drafts: readonly Draft[]; fresh: readonly Endpoint[][] } {
  const waiting = new Map(endpoints.map((endpoint) => [identity(endpoint), endpoint]));
  const order = new Map([...waiting.values()].map((endpoint, i) => [endpoint, i]));
  const drafts = slices.map((slice) => draftOf(slice, waiting, limit));
  const rest = [...waiting.values()];
  const fullestFirst = drafts.toSorted((a, b) => b.endpoints.length - a.endpoints.length);
  for (const { endpoints: held, changed } of fullestFirst) {
    if (changed && held.length > 0) held.push(...rest.splice(0, limit - held.length));
  }
  const fresh: Endpoint[][] = [];
  while (rest.length >= limit) fresh.push(rest.splice(0, limit));
  const roomy = fullestFirst.find(({ endpoints: held }) => held.length > 0 && held.length + rest.length <= limit);
  if (roomy !== undefined) roomy.endpoints.push(...rest);
  else if (rest.length > 0) fresh.push(rest);
  for (const { endpoints: held } of drafts) held.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return { drafts, fresh };
}

/** What a slice still holds. What it takes is no longer waiting, so no endpoint ends up in two slices. */
function draftOf(slice: Slice, waiting: Map<string, Endpoint>, limit: number): Draft {
  const held: Endpoint[] = [];
  for (const endpoint of contentOf(slice).endpoints) {
    const wanted = waiting.get(identity(endpoint));
    if (wanted === undefined || held.length === limit) continue;
    waiting.delete(identity(endpoint));
    held.push(wanted);
  }
  return { slice, endpoints: held, changed: !sameEndpoints(contentOf(slice).endpoints, held) };
}

/** Whether two lists tell the same of the same endpoints, in the same order. */
export function sameEndpoints(a: readonly Endpoint[], b: readonly Endpoint[]): boolean {
  return isDeepStrictEqual(a, b);
}

function identity({ addresses, targetRef, hostname = "" }: Endpoint): string {
  return `${targetRef?.uid ?? ""}|${addresses.join()}|${hostname}`;
}
