import type { Clock, Random } from "@gatewright/ports";
import type { Authorizer } from "../auth/authorizer.ts";
import type { Cluster } from "../cluster.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.ts";
import { defaultIngressClass } from "./default-ingress-class.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { limitRanger } from "./limit-ranger.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { validatingPolicies } from "./policy/validating-policies.ts";
import { priority } from "./priority.ts";
import { resourceQuota } from "./quota/resource-quota.ts";
import { serviceAccount } from "./service-account.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";
import { mutatingWebhooks } from "./webhooks/mutating-webhooks.ts";
import { Reinvocation } from "./webhooks/reinvocation.ts";
import { validatingWebhooks } from "./webhooks/validating-webhooks.ts";
import type { WebhookCaller } from "./webhooks/webhook-client.ts";

export interface AdmissionDeps {
  readonly cluster: Cluster;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly random: Random;
  readonly callWebhook: WebhookCaller;
  /** Names of plugins that are left out, as `--disable-admission-plugins` has them. */
  readonly disabled?: ReadonlySet<string>;
  /** Hears of webhooks that failed and were passed over. */
  report(message: string): void;
}

/** All that stands between a decoded object and the store. Throws a StatusError to refuse a write. */
export interface AdmissionChain {
  /** Before the object is prepared and validated; may change it. */
  mutate(attributes: AdmissionAttributes): Promise<void>;
  /** On the object as it is going to be stored. */
  validate(attributes: AdmissionAttributes): Promise<void>;
}

/** The admission plugins of kube-apiserver, in its order. */
export function createAdmission(deps: AdmissionDeps): AdmissionChain {
  const { cluster, clock } = deps;
  const isEnabled = ({ name }: AdmissionPlugin): boolean => !deps.disabled?.has(name);
  const plugins = [
    namespaceLifecycle(cluster),
    limitRanger(cluster),
    serviceAccount(cluster, clock, deps.random),
    taintNodesByCondition,
    priority(cluster),
    defaultTolerationSeconds,
    defaultIngressClass(cluster),
    validatingPolicies(deps),
    validatingWebhooks(deps),
    resourceQuota(cluster, clock),
  ].filter(isEnabled);
  const webhooks = deps.disabled?.has("MutatingAdmissionWebhook") ? undefined : mutatingWebhooks(deps);

  const round = async (attributes: AdmissionAttributes, reinvocation: Reinvocation): Promise<void> => {
    for (const plugin of plugins) await plugin.mutate?.(attributes);
    await webhooks?.(attributes, reinvocation);
  };
  return {
    async mutate(attributes) {
      const reinvocation = new Reinvocation();
      await round(attributes, reinvocation);
      if (!reinvocation.needed) return;
      reinvocation.beginSecondRound();
      await round(attributes, reinvocation);
    },
    async validate(attributes) {
      for (const plugin of plugins) await plugin.validate?.(attributes);
    },
  };
}
