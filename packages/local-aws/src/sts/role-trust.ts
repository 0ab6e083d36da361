import { AwsError } from "../aws-error.ts";
import type { Caller } from "../service.ts";
import type { Role } from "./role-arn.ts";

/** Who may take on a role. What is not said is not asked for. */
export interface RoleTrust {
  /** Account ids, ARNs of principals, or `*`. Default: everybody. */
  readonly principals?: readonly string[];
  readonly externalId?: string;
  /** Tokens of these issuers and subjects; without subjects any. Without any of it, tokens of all issuers. */
  readonly webIdentities?: readonly { readonly issuer: string; readonly subjects?: readonly string[] }[];
  /** Longest session. Default: 12 hours. */
  readonly longestSeconds?: number;
}

/** What is trusted by which role. */
export interface TrustTable {
  /** By ARN. A role that is not in it trusts everybody. */
  readonly roles?: ReadonlyMap<string, RoleTrust>;
  /** Accounts that there are. Default: all. */
  readonly accounts?: ReadonlySet<string>;
}

const LONGEST_SECONDS = 43_200;
/** From one role to another: no more than an hour. */
const LONGEST_CHAINED_SECONDS = 3_600;

/** What a role trusts; refuses roles of accounts that there are not. */
export function trustOf({ roles, accounts }: TrustTable, role: Role, refusal: () => AwsError): RoleTrust {
  if (accounts !== undefined && !accounts.has(role.account)) throw refusal();
  return roles?.get(role.arn) ?? {};
}

/** Whether a caller may take on a role that trusts so. */
export function trustsCaller(
  { principals, externalId }: RoleTrust,
  caller: Caller,
  givenId: string | undefined,
): boolean {
  const known = [caller.account, caller.arn, `arn:aws:iam::${caller.account}:root`, "*"];
  return (
    (principals === undefined || principals.some((each) => known.includes(each))) &&
    (externalId === undefined || externalId === givenId)
  );
}

/** Whether the holder of a token may. */
export function trustsIdentity({ webIdentities }: RoleTrust, issuer: string, subject: string): boolean {
  if (webIdentities === undefined) return true;
  return webIdentities.some(
    (each) => each.issuer === issuer && (each.subjects === undefined || each.subjects.includes(subject)),
  );
}

/** Refuses sessions that would be longer than they may. */
export function checkDuration(
  { longestSeconds = LONGEST_SECONDS }: RoleTrust,
  seconds: number,
  chained: boolean,
): void {
  if (chained && seconds > LONGEST_CHAINED_SECONDS) {
    throw new AwsError(
      "ValidationError",
      "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining",
    );
  }
  if (seconds > longestSeconds) {
    throw new AwsError(
      "ValidationError",
      "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.",
    );
  }
}
