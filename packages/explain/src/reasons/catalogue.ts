import { REASONS as APPLICATIONS } from "@gatewright/applications/reasons";
import { REASONS as HOSTNAMES } from "@gatewright/hostnames/reasons";
import { REASONS as INFRA } from "@gatewright/infra/reasons";
import { REASONS as ROUTING } from "@gatewright/routing/reasons";
import { FOUND } from "./found.ts";
import { GATEWAY_API } from "./gateway-api.ts";
import { KUBERNETES } from "./kubernetes.ts";

/** What a reason means, and what a person can do about it. */
export interface ReasonEntry {
  readonly reason: string;
  readonly means: string;
  /** Empty where there is nothing to do but wait. */
  readonly remedy: string;
}

/** Whose words a reason may be: the same word means different things to different parts. */
export type Vocabulary = "applications" | "hostnames" | "infra" | "routing" | "kubernetes" | "gateway-api" | "found";

const TABLES: Readonly<Record<Vocabulary, Readonly<Record<string, Omit<ReasonEntry, "reason">>>>> = {
  applications: APPLICATIONS,
  hostnames: HOSTNAMES,
  infra: INFRA,
  routing: ROUTING,
  kubernetes: KUBERNETES,
  "gateway-api": GATEWAY_API,
  found: FOUND,
};

/** What is known of a reason, by the first of these that has it; undefined for a word of somebody else's. */
export function reasonEntry(reason: string, vocabularies: readonly Vocabulary[]): ReasonEntry | undefined {
  for (const vocabulary of vocabularies) {
    const table = TABLES[vocabulary];
    const found = Object.hasOwn(table, reason) ? table[reason] : undefined;
    if (found !== undefined) return { reason, means: found.means, remedy: found.remedy };
  }
  return undefined;
}

/** All that is known in one part's words, by name. */
export function reasonsOf(vocabulary: Vocabulary): readonly ReasonEntry[] {
  const all = Object.entries(TABLES[vocabulary]).map(([reason, { means, remedy }]) => ({ reason, means, remedy }));
  return all.toSorted((a, b) => (a.reason < b.reason ? -1 : 1));
}
