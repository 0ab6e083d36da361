import type { Clock, Random } from "@gatewright/ports";
import type { ApiServerOptions } from "./api-server-options.ts";
import {
  createAuthenticator,
  createRbacAuthorizer,
  createServiceAccountTokens,
  createSigningKey,
  loadSigningKey,
  staticTokens,
} from "./auth/index.ts";
import type { Authenticator, ServiceAccountTokens } from "./auth/index.ts";
import type { RbacAuthorizer } from "./auth/rbac/rbac-authorizer.ts";
import type { Cluster } from "./cluster.ts";
import type { Store } from "./store/index.ts";

/** Who callers are, and what they may do. */
export interface Identity {
  readonly authenticator: Authenticator;
  readonly authorizer: RbacAuthorizer;
  readonly tokens: ServiceAccountTokens;
  /** Whom tokens are meant for. */
  readonly audiences: readonly string[];
}

interface IdentityDeps {
  readonly store: Store;
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly random: Random;
}

const ISSUER = "https://kubernetes.default.svc.cluster.local";

export function createIdentity(options: ApiServerOptions, deps: IdentityDeps): Identity {
  const issuer = options.serviceAccounts?.issuer ?? ISSUER;
  const audiences = [issuer];
  const [signingKey = createSigningKey(deps.random), ...oldKeys] = (options.serviceAccounts?.keys ?? []).map(
    loadSigningKey,
  );
  const tokens = createServiceAccountTokens({ ...deps, issuer, keys: [signingKey, ...oldKeys] });
  const authenticator = createAuthenticator({
    tokens: [staticTokens(options.tokens ?? [], audiences), tokens],
    audiences,
    anonymous: true,
    loopbackAdmin: options.access !== "required",
  });
  return { authenticator, authorizer: createRbacAuthorizer(deps.store), tokens, audiences };
}
