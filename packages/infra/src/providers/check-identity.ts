import { AddressRefusedError, AwsCallError, CredentialsError } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { REASONS } from "../reasons.ts";
import type { Refusal } from "./refusal.ts";

/** Who AWS says that we are. */
export interface CallerIdentity {
  readonly account: string;
  readonly arn: string;
  readonly partition: string;
}

/**
 * What became of the question. `refused`: AWS, or the platform, said no. `unanswered`: nothing was learned, and what was known before
 * holds.
 */
export type Check =
  | { readonly is: "taken"; readonly identity: CallerIdentity }
  | ({ readonly is: "refused" | "unanswered" } & Refusal);

const ACCOUNT = /^[0-9]{12}$/;
const ARN = /^arn:(aws(?:-[a-z]+)*):[a-z]+::[0-9]{12}:[\x21-\x7e]{1,1900}$/;
/** Keys that have ended: a newer set may be there, these are of no use. */
const ENDED: ReadonlySet<string> = new Set(["ExpiredToken", "ExpiredTokenException"]);
const LONGEST = 600;

/** Asks AWS who we are. Rejects only as aborted. */
export async function checkIdentity(sts: Aws["sts"], signal: AbortSignal): Promise<Check> {
  try {
    const { Account = "", Arn = "" } = await sts.getCallerIdentity({}, { signal });
    const partition = ARN.exec(Arn)?.[1];
    if (!ACCOUNT.test(Account) || partition === undefined) {
      return { is: "unanswered", reason: REASONS.Unreachable, message: "The answer names no identity of AWS." };
    }
    return { is: "taken", identity: { account: Account, arn: Arn, partition } };
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(error);
  }
}

function failureOf(error: unknown): Check {
  if (error instanceof CredentialsError) {
    const is = error.passing ? "unanswered" : "refused";
    return {
      is,
      reason: error.passing ? REASONS.Unreachable : REASONS.NoOwnIdentity,
      message: sentence(error.message),
    };
  }
  if (!(error instanceof AwsCallError)) throw error;
  if (error.cause instanceof AddressRefusedError) {
    return { is: "refused", reason: REASONS.EndpointNotAllowed, message: sentence(error.cause.message) };
  }
  const { kind, code, operation, requestId } = error;
  const id = requestId === undefined ? "" : ` (request ${requestId.slice(0, 64)})`;
  const message = sentence(`${error.message.slice(0, LONGEST)}${id}`);
  const answered = kind === "terminal" || kind === "absent" || ENDED.has(code);
  // A bare status is what somebody between us and AWS says, or somebody who is not AWS.
  if (!answered || /^[0-9]+$/.test(code)) return { is: "unanswered", reason: REASONS.Unreachable, message };
  const role = operation === "AssumeRole" || operation === "AssumeRoleWithWebIdentity";
  const denied = role && !KEYS.has(code);
  return { is: "refused", reason: denied ? REASONS.RoleDenied : REASONS.AuthenticationFailed, message };
}

/** What is wrong with the keys, whatever they were used for. */
const KEYS: ReadonlySet<string> = new Set([
  ...ENDED,
  "InvalidClientTokenId",
  "InvalidIdentityToken",
  "SignatureDoesNotMatch",
  "IncompleteSignature",
  "MissingAuthenticationToken",
]);

function sentence(text: string): string {
  return /[.!]$/.test(text) ? text : `${text}.`;
}
