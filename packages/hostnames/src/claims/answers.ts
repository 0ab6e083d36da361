import type {
  Certificate,
  ChangeProgress,
  RecordChange,
  RemovalProgress,
  RequestProgress,
  Zone,
} from "@gatewright/aws";
import type { Claim } from "./claim.ts";

/** How far a change of a record is, and how many were tried for it in this run. */
export interface ChangeAnswer {
  readonly change: RecordChange;
  readonly progress: ChangeProgress;
  readonly tries: number;
}

/** What effects of a run have brought. Forgotten when it ends: the next one asks again, which costs nothing. */
export interface Answers {
  readonly around?: { readonly owner: "present" | "absent" | "going"; readonly rivals: readonly Claim[] };
  readonly zone?: Zone | "absent" | { readonly failed: string };
  readonly request?: RequestProgress & { readonly token: string };
  readonly changes: ReadonlyMap<string, ChangeAnswer>;
  /** What is wrong in public DNS; empty: nothing that was found. */
  readonly inspection?: string;
  /** Claims that have the certificate besides this one, and whether a LoadBalancerConfiguration names it. */
  readonly users?: { readonly arn: string; readonly others: readonly string[]; readonly named: boolean };
  /** All that ACM tells of the certificate that is to be removed. */
  readonly described?: {
    readonly arn: string;
    readonly certificate: Certificate | "absent" | { readonly failed: string };
  };
  readonly removal?: RemovalProgress & { readonly arn: string };
}

export const NO_ANSWERS: Answers = { changes: new Map() };
