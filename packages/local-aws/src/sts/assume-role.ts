import type { AssumeRoleRequest, AssumeRoleResponse } from "@gatewright/aws-wire/types/sts";
import type { Clock } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { Caller } from "../service.ts";
import { assumedRole, roleOf } from "./role-arn.ts";
import { checkDuration, trustOf, trustsCaller } from "./role-trust.ts";
import type { TrustTable } from "./role-trust.ts";
import { checkPattern, packedSize, sessionTags } from "./session-rules.ts";
import type { SessionStore } from "./session-store.ts";

const DEFAULT_SECONDS = 3_600;
const WORD = /^[\w+=,.@-]*$/;
const EXTERNAL_ID = /^[\w+=,.@:/-]*$/;

/** Makes the caller a role for a while. */
export async function assumeRole(
  clock: Clock,
  sessions: SessionStore,
  trust: TrustTable,
  caller: Caller,
  input: AssumeRoleRequest,
): Promise<AssumeRoleResponse> {
  const {
    RoleSessionName: name,
    DurationSeconds: seconds = DEFAULT_SECONDS,
    ExternalId,
    TransitiveTagKeys = [],
  } = input;
  checkPattern(name, "roleSessionName", WORD);
  checkPattern(ExternalId, "externalId", EXTERNAL_ID);
  checkPattern(input.SourceIdentity, "sourceIdentity", WORD);
  const role = roleOf(input.RoleArn);
  const denied = (): AwsError =>
    new AwsError(
      "AccessDenied",
      `User: ${caller.arn} is not authorized to perform: sts:AssumeRole on resource: ${role.arn}`,
      { status: 403 },
    );
  const trusts = trustOf(trust, role, denied);
  if (!trustsCaller(trusts, caller, ExternalId)) throw denied();
  const from = sessions.find(caller.accessKeyId);
  checkDuration(trusts, seconds, from?.ofRole === true);
  const tags = new Map([...(from?.transitiveTags ?? []), ...sessionTags(input.Tags ?? [])]);
  for (const [key, value] of from?.transitiveTags ?? []) {
    if (tags.get(key) !== value) {
      throw new AwsError("InvalidParameterValue", `The tag ${key} is inherited and cannot be changed.`);
    }
  }
  const packed = packedSize(input.Policy, input.PolicyArns ?? [], tags);
  const sourceIdentity = from?.sourceIdentity ?? input.SourceIdentity;
  if (input.SourceIdentity !== undefined && sourceIdentity !== input.SourceIdentity) throw denied();
  const inherited = new Set([...TransitiveTagKeys, ...(from?.transitiveTags ?? []).map(([key]) => key)]);
  const user = assumedRole(role, name);
  const Credentials = await sessions.issue({
    account: role.account,
    ...user,
    expires: wholeSeconds(clock.now()) + seconds * 1_000,
    ofRole: true,
    transitiveTags: [...tags].filter(([key]) => inherited.has(key)),
    ...(sourceIdentity !== undefined && { sourceIdentity }),
  });
  return {
    Credentials,
    AssumedRoleUser: { AssumedRoleId: user.userId, Arn: user.arn },
    ...(packed !== undefined && { PackedPolicySize: packed }),
    ...(sourceIdentity !== undefined && { SourceIdentity: sourceIdentity }),
  };
}

/** Answers tell moments to the second. */
export function wholeSeconds(ms: number): number {
  return ms - (ms % 1_000);
}
