import type {
  AssumeRoleWithWebIdentityRequest,
  AssumeRoleWithWebIdentityResponse,
} from "@gatewright/aws-wire/types/sts";
import type { Clock } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import { wholeSeconds } from "./assume-role.ts";
import { assumedRole, roleOf } from "./role-arn.ts";
import { checkDuration, trustOf, trustsIdentity } from "./role-trust.ts";
import type { TrustTable } from "./role-trust.ts";
import { checkPattern, packedSize } from "./session-rules.ts";
import type { SessionStore } from "./session-store.ts";

/** What a token says whose signature is right. */
export interface VerifiedToken {
  /** `https://…`. */
  readonly issuer: string;
  readonly subject: string;
  readonly audience: readonly string[];
  /** Milliseconds since the epoch; undefined when the verifier has checked that itself. */
  readonly expires?: number;
}

/** Checks the signature of a token with the keys of its issuer. Undefined when it is not right, or the issuer not known. */
export type VerifyToken = (token: string, signal: AbortSignal) => Promise<VerifiedToken | undefined>;

/** Who trusts tokens: the audience that they must be for. */
const AUDIENCE = "sts.amazonaws.com";
const DEFAULT_SECONDS = 3_600;

/** Makes the holder of a token a role for a while: how pods become roles. */
export async function assumeRoleWithWebIdentity(
  clock: Clock,
  sessions: SessionStore,
  trust: TrustTable,
  verify: VerifyToken,
  input: AssumeRoleWithWebIdentityRequest,
  signal: AbortSignal,
): Promise<AssumeRoleWithWebIdentityResponse> {
  const { RoleSessionName: name, DurationSeconds: seconds = DEFAULT_SECONDS } = input;
  checkPattern(name, "roleSessionName", /^[\w+=,.@-]*$/);
  const role = roleOf(input.RoleArn);
  const denied = (): AwsError =>
    new AwsError("AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity", { status: 403 });
  const trusts = trustOf(trust, role, denied);
  const token = await verify(input.WebIdentityToken, signal);
  if (token === undefined)
    throw rejected("Couldn't retrieve verification key from your identity provider, or the token is not valid");
  const now = clock.now();
  if (token.expires !== undefined && token.expires <= now) {
    throw new AwsError(
      "ExpiredTokenException",
      `Token expired: current date/time ${Math.floor(now / 1_000)} must be before the expiration date/time ${Math.floor(token.expires / 1_000)}`,
    );
  }
  if (!token.audience.includes(AUDIENCE)) throw rejected("Incorrect token audience");
  if (token.subject === "") throw new AwsError("IDPRejectedClaim", "The token has no subject.", { status: 403 });
  if (!trustsIdentity(trusts, token.issuer, token.subject)) throw denied();
  checkDuration(trusts, seconds, false);
  const packed = packedSize(input.Policy, input.PolicyArns ?? [], new Map());
  const user = assumedRole(role, name);
  const Credentials = await sessions.issue({
    account: role.account,
    ...user,
    expires: wholeSeconds(now) + seconds * 1_000,
    ofRole: true,
    transitiveTags: [],
  });
  const provider = token.issuer.replace(/^https:\/\//, "");
  return {
    Credentials,
    SubjectFromWebIdentityToken: token.subject,
    AssumedRoleUser: { AssumedRoleId: user.userId, Arn: user.arn },
    Provider: `arn:${role.partition}:iam::${role.account}:oidc-provider/${provider}`,
    Audience: AUDIENCE,
    ...(packed !== undefined && { PackedPolicySize: packed }),
  };
}

function rejected(message: string): AwsError {
  return new AwsError("InvalidIdentityToken", message);
}
