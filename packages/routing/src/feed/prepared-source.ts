import { examine } from "@gatewright/gateway/examine";
import { GATEWAY_LABEL } from "@gatewright/resources";
import { contentVersion } from "../model/content-version.ts";
import type { Deliverable, SourceRef } from "../model/deliverable.ts";
import { backendClaims } from "./conflicts/backend-claims.ts";
import type { Claim } from "./conflicts/claim.ts";
import { routeClaims } from "./conflicts/route-claims.ts";
import type { Draft, ServiceUse } from "./draft.ts";
import { backendKindOf } from "./draft.ts";
import type { FeedSettings } from "./feed-settings.ts";
import type { Problem } from "./problem.ts";
import { problemOf } from "./problem.ts";
import { resolveDraft } from "./resolve/resolve-draft.ts";
import type { Surroundings } from "./surroundings.ts";

/** An object of the cluster, and what it says is to be delivered. */
export interface Source {
  readonly ref: SourceRef;
  readonly generation: number;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly drafts: readonly Draft[];
  /** What was found wrong before there were drafts. */
  readonly problems: readonly Problem[];
}

/** What could be delivered for a source. */
export interface Candidate {
  readonly generation: number;
  readonly deliverables: readonly Deliverable[];
  readonly claims: readonly Claim[];
  readonly uses: readonly ServiceUse[];
}

/** What came of a source. */
export interface Prepared {
  readonly problems: readonly Problem[];
  /** Undefined: an error is among the problems, or something is not known yet. */
  readonly candidate: Candidate | undefined;
  readonly waiting: boolean;
}

const GROUPS = { Ingress: "networking.k8s.io", other: "avapigw.io" } as const;

/**
 * What a source comes to: references resolved, looked at as a gateway would. The feed delivers by it and admission refuses by it, so
 * that both say the same. Pure.
 */
export function prepareSource(source: Source, around: Surroundings, settings: FeedSettings): Prepared {
  const { ref, generation, createdAt, labels } = source;
  const from = { group: ref.kind === "Ingress" ? GROUPS.Ingress : GROUPS.other, kind: ref.kind };
  const problems: Problem[] = [...source.problems];
  const deliverables: Deliverable[] = [];
  const claims: Claim[] = [];
  const uses: ServiceUse[] = [];
  const reach = labels[GATEWAY_LABEL];
  let waiting = false;
  for (const draft of source.drafts) {
    const resolved = resolveDraft(draft, from, around, settings);
    problems.push(...resolved.problems);
    waiting ||= resolved.waiting;
    // What a missing reference leaves open would be told a second time, as a field that is not there.
    if (resolved.waiting || resolved.problems.some(({ severity }) => severity === "error")) continue;
    const { kind, namespace, name } = draft;
    const examined = examine({ kind, namespace, name, version: "", spec: resolved.spec, createdAt });
    problems.push(...examined.findings.map(problemOf));
    if (examined.spec === undefined) continue;
    const content = { kind, namespace, name, spec: examined.spec, createdAt };
    deliverables.push({ ...content, version: contentVersion(content), labels, source: ref });
    uses.push(...resolved.uses);
    const wanted = kind.endsWith("Route")
      ? routeClaims(examined.matches)
      : backendClaims(backendKindOf(kind), namespace, draft.spec, settings.clusterDomain);
    claims.push(...(reach === undefined ? wanted : wanted.map((claim) => ({ ...claim, reach }))));
  }
  const isBad = waiting || problems.some(({ severity }) => severity === "error");
  return { problems, candidate: isBad ? undefined : { generation, deliverables, claims, uses }, waiting };
}
