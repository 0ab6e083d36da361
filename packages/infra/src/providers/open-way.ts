import { assumeRole, CredentialsError, createAws, staticCredentials, webIdentity } from "@gatewright/aws";
import type {
  Aws,
  AwsCredentials,
  CallerOptions,
  CallObserver,
  CredentialSource,
  ReadFile,
  Send,
  TryObserver,
} from "@gatewright/aws";
import type { Clock, Random } from "@gatewright/ports";
import { isTrusted } from "./refusal.ts";
import { sessionName } from "./session-name.ts";
import type { ProviderSettings } from "./settings.ts";
import type { Way } from "./way.ts";

/** What ways are opened with. */
export interface WayPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Carries calls to AWS, and to endpoints that the platform trusts. */
  readonly send: Send;
  /** Carries calls to endpoints that tenants name: see `createTenantSend`. */
  readonly tenantSend: Send;
  /** Where AWS is for providers that name no endpoint. Default: AWS's own. */
  readonly endpoint?: string;
  /** The operator's own. Default: none. */
  readonly credentials?: CredentialSource;
  /** The token of the operator's service account, for roles that trust it (IRSA). Default: none, roles are assumed with `credentials`. */
  readonly webIdentity?: { readonly tokenFile: string; readonly readFile: ReadFile };
  /** Asked before every call that changes something: `() => manager.gate.check()`. */
  readonly gate?: () => void;
  readonly onCall?: CallObserver;
  readonly onTry?: TryObserver;
}

/** A way that can be gone: who signs, and calls by it. */
export interface OpenWay {
  /** For asking who we are. */
  readonly sts: Aws["sts"];
  /** All services, for those who use the provider. */
  readonly session: (budgets: NonNullable<CallerOptions["budgets"]>) => Aws;
}

/** A check must end: one that hangs must not hold up those of others. */
const CHECK_PATIENCE = { attempts: 3, attemptMs: 10_000, totalMs: 20_000 };

/** Puts together who signs, and where calls go. Nothing is asked yet. Nothing of it is shared with other providers but what is the operator's. */
export function openWay(
  ports: WayPorts,
  settings: ProviderSettings,
  way: Way,
  keys: AwsCredentials | undefined,
  provider: { readonly namespace: string; readonly name: string },
): OpenWay {
  const { clock, random, gate, onCall, onTry } = ports;
  const trusted = [...settings.trustedEndpoints, ...(ports.endpoint === undefined ? [] : [ports.endpoint])];
  const endpoint = way.endpoint ?? ports.endpoint;
  const toTenant = way.endpoint !== undefined && !isTrusted(way.endpoint, trusted);
  const carried = {
    clock,
    random,
    region: way.region,
    send: toTenant ? ports.tenantSend : ports.send,
    ...(endpoint !== undefined && { endpoint }),
    ...(onCall !== undefined && { onCall }),
    ...(onTry !== undefined && { onTry }),
  };
  // Keys of roles are asked for without the gate: getting them changes nothing.
  const stsOf = (credentials: CredentialSource): Aws["sts"] =>
    createAws({ ...carried, credentials, patience: CHECK_PATIENCE }).sts;
  const session = { clock, random, sessionName: sessionName(provider.namespace, provider.name) };
  const tags = settings.sessionTags
    ? { "gatewright.dev/namespace": provider.namespace, "gatewright.dev/provider": provider.name }
    : {};
  const own = ports.credentials ?? noCredentials;
  const first = (): CredentialSource => {
    if (keys !== undefined) return staticCredentials(keys);
    if (way.identity.from !== "role") return own;
    const { roleArn } = way.identity;
    return ports.webIdentity === undefined
      ? assumeRole({ ...session, sts: stsOf(own), roleArn, tags })
      : webIdentity({ ...session, ...ports.webIdentity, sts: stsOf(noCredentials), roleArn });
  };
  const base = first();
  const credentials =
    way.assume === undefined
      ? base
      : assumeRole({
          ...session,
          sts: stsOf(base),
          roleArn: way.assume.roleArn,
          tags,
          ...(way.assume.externalId !== undefined && { externalId: way.assume.externalId }),
        });
  return {
    sts: stsOf(credentials),
    session: (budgets) => createAws({ ...carried, credentials, budgets, ...(gate !== undefined && { gate }) }),
  };
}

const noCredentials: CredentialSource = async () => {
  throw new CredentialsError({
    code: "NotConfigured",
    message: "The operator has no credentials of its own.",
    remedy: "Give the operator's service account a role, or the provider a Secret.",
  });
};
