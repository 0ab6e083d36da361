import type { Operations } from "@gatewright/aws-wire/types/sts";
import { AwsError } from "../aws-error.ts";
import type { IssuedCredentials } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { assumeRole, wholeSeconds } from "./assume-role.ts";
import type { TrustTable } from "./role-trust.ts";
import { SessionStore } from "./session-store.ts";
import { assumeRoleWithWebIdentity } from "./web-identity.ts";
import type { VerifyToken } from "./web-identity.ts";

export interface StsOptions extends TrustTable {
  /** Default: no token is right. */
  readonly verifyToken?: VerifyToken;
  /** The account of a key that did not come from here. */
  readonly accountOfKey?: (accessKeyId: string) => string | undefined;
}

const DEFAULT_SESSION_SECONDS = 43_200;
const ROOT_SESSION_SECONDS = 3_600;

/** STS: who somebody is, and how they become somebody else. Global, but for the accounts. */
export function createSts(
  world: AwsWorld,
  options: StsOptions = {},
): { readonly service: Service; readonly issued: IssuedCredentials } {
  const { clock } = world;
  const { verifyToken = () => Promise.resolve(undefined), accountOfKey } = options;
  const sessions = new SessionStore(world);
  return {
    issued: sessions,
    service: service<Operations>("sts", {
      GetCallerIdentity: (_input, { caller }) => ({ UserId: caller.userId, Account: caller.account, Arn: caller.arn }),
      AssumeRole: (input, { caller }) => assumeRole(clock, sessions, options, caller, input),
      AssumeRoleWithWebIdentity: (input, { signal }) =>
        assumeRoleWithWebIdentity(clock, sessions, options, verifyToken, input, signal),
      GetSessionToken: async ({ DurationSeconds: wanted = DEFAULT_SESSION_SECONDS }, { caller }) => {
        if (sessions.find(caller.accessKeyId) !== undefined) {
          throw new AwsError("AccessDenied", "Cannot call GetSessionToken with session credentials", { status: 403 });
        }
        const isRoot = caller.arn.endsWith(":root");
        const seconds = isRoot ? Math.min(wanted, ROOT_SESSION_SECONDS) : wanted;
        const { account, arn, userId } = caller;
        const expires = wholeSeconds(clock.now()) + seconds * 1_000;
        return {
          Credentials: await sessions.issue({ account, arn, userId, expires, ofRole: false, transitiveTags: [] }),
        };
      },
      GetAccessKeyInfo: ({ AccessKeyId: id }) => {
        const account = sessions.find(id)?.account ?? accountOfKey?.(id);
        if (account === undefined) throw new AwsError("ValidationError", `There is no access key ${id.slice(0, 128)}.`);
        return { Account: account };
      },
    }),
  };
}
