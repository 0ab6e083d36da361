import { keyOf } from "@gatewright/kube";
import type { MatchView, RouteView, RuleView } from "../cluster/route-view.ts";

/** One match of one rule of a route for one hostname: what becomes a rule of a load balancer. */
export interface Candidate {
  readonly route: RouteView;
  readonly rule: RuleView;
  readonly ruleIndex: number;
  readonly match: MatchView;
  readonly matchIndex: number;
  readonly hostname: string | undefined;
}

const PATH_RANK: Readonly<Record<MatchView["path"]["type"], number>> = {
  Exact: 0,
  RegularExpression: 1,
  Wildcards: 2,
  PathPrefix: 3,
};

/**
 * The order in which candidates are tried: the more precise one first, by hostname, path, method, headers and query; then the older
 * route, then by name, then as the route has it.
 */
export function byPrecedence(a: Candidate, b: Candidate): number {
  return (
    byHostname(a.hostname, b.hostname) ||
    PATH_RANK[a.match.path.type] - PATH_RANK[b.match.path.type] ||
    b.match.path.value.length - a.match.path.value.length ||
    Number(b.match.method !== undefined) - Number(a.match.method !== undefined) ||
    b.match.headers.length - a.match.headers.length ||
    b.match.query.length - a.match.query.length ||
    byText(a.route.created, b.route.created) ||
    byText(keyOf(a.route.ref), keyOf(b.route.ref)) ||
    byText(a.route.kind, b.route.kind) ||
    a.ruleIndex - b.ruleIndex ||
    a.matchIndex - b.matchIndex ||
    byText(a.hostname ?? "", b.hostname ?? "")
  );
}

/** Whole names before wildcards, longer before shorter, all before none. */
function byHostname(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const wild = Number(a.startsWith("*")) - Number(b.startsWith("*"));
  return wild || b.length - a.length;
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
