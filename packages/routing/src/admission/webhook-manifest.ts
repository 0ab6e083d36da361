import type { admissionregistration } from "@gatewright/kube/api";
import { webhookConfigurations } from "@gatewright/runtime/webhook";
import type { ConfigurationOptions } from "@gatewright/runtime/webhook";
import { ingressMatching } from "./ingress-matching.ts";
import { webhooksOf } from "./webhook-scopes.ts";

/** The object by which API servers ask the webhooks of routing. Without a caBundle: it is injected. Pure. */
export function webhookManifest(
  options: ConfigurationOptions,
  ingresses: { readonly className: string; readonly isDefault: boolean } | undefined,
): admissionregistration.ValidatingWebhookConfiguration {
  const asked = ingresses && { matching: ingressMatching(ingresses.className, ingresses.isDefault) };
  const webhooks = webhooksOf(asked, () => () => {
    throw new TypeError("this webhook is only described");
  });
  const { validating } = webhookConfigurations(webhooks, options);
  if (validating === undefined) throw new TypeError("there are no webhooks");
  return validating;
}
