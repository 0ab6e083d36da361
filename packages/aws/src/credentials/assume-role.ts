import type { CredentialSource } from "../caller.ts";
import type { StsCalls } from "../services/sts.ts";
import { keptCredentials } from "./kept-credentials.ts";
import type { KeptPorts } from "./kept-credentials.ts";
import { sessionKeys } from "./session-keys.ts";

export interface AssumeRoleOptions extends KeptPorts {
  /** STS as who assumes the role sees it. */
  readonly sts: Pick<StsCalls, "assumeRole">;
  readonly roleArn: string;
  /** Stands in CloudTrail and in the ARN of the session: 2 to 64 of letters, digits and `+=,.@_-`. */
  readonly sessionName: string;
  readonly externalId?: string;
  /** The role's trust policy must allow `sts:TagSession` for them. Default: none. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Default: AWS's, one hour, which is also the most for a role that is assumed with another role's keys. */
  readonly durationSeconds?: number;
}

/** Keys of a role, for as long as they are asked for: see {@link keptCredentials}. */
export function assumeRole(options: AssumeRoleOptions): CredentialSource {
  const { sts, roleArn, sessionName, externalId, durationSeconds } = options;
  const tags = Object.entries(options.tags ?? {}).map(([Key, Value]) => ({ Key, Value }));
  const input = {
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    ...(externalId !== undefined && { ExternalId: externalId }),
    ...(durationSeconds !== undefined && { DurationSeconds: durationSeconds }),
    ...(tags.length > 0 && { Tags: tags }),
  };
  return keptCredentials(async (signal) => sessionKeys(await sts.assumeRole(input, { signal }), "STS"), options);
}
