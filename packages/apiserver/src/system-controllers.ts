import type { Clock, Random } from "@gatewright/ports";
import type { WebhookCaller } from "./admission/index.ts";
import { RoleAggregation } from "./auth/index.ts";
import type { ServiceAccountTokens } from "./auth/index.ts";
import type { Cluster } from "./cluster.ts";
import {
  startEventExpiry,
  startGarbageCollector,
  startNamespaceController,
  startPolicyStatusController,
  startResourceQuotaController,
  startRootCaPublisher,
  startServiceAccountController,
  startTokenSecretController,
} from "./controllers/index.ts";
import type { Controller } from "./controllers/index.ts";
import { startCrdController } from "./crd/index.ts";

export interface SystemControllerDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly callWebhook: WebhookCaller;
  readonly tokens: ServiceAccountTokens;
  readonly audiences: readonly string[];
  readonly caBundle: string;
  report(message: string, error: unknown): void;
}

/** Tokens in Secrets have no end of their own: they end with the Secret. */
const ENDLESS_SECONDS = 100 * 365 * 24 * 3600;

/**
 * Starts what a control plane does by itself. Stored custom resources are served when this returns. On a real control plane
 * some of it is done by kube-apiserver and the rest by kube-controller-manager; what they write tells by whom.
 */
export function startSystemControllers(
  { apiserver, cluster }: { readonly apiserver: Cluster; readonly cluster: Cluster },
  deps: SystemControllerDeps,
): readonly Controller[] {
  const { tokens, audiences, caBundle } = deps;
  return [
    startCrdController(apiserver, deps),
    startGarbageCollector(cluster, deps),
    startNamespaceController(cluster, deps),
    startServiceAccountController(cluster, deps),
    ...(caBundle === "" ? [] : [startRootCaPublisher(cluster, deps, caBundle)]),
    startTokenSecretController(cluster, {
      ...deps,
      signToken: ({ metadata: account }, { metadata: secret }) =>
        tokens.issue({
          namespace: account.namespace ?? "",
          serviceAccount: { name: account.name ?? "", uid: account.uid ?? "" },
          secret: { name: secret.name ?? "", uid: secret.uid ?? "" },
          audiences,
          seconds: ENDLESS_SECONDS,
        }),
    }),
    startEventExpiry(cluster, deps),
    startResourceQuotaController(cluster, deps),
    startPolicyStatusController(cluster, deps),
    RoleAggregation.start({ ...deps, cluster }),
  ];
}
