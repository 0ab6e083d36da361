import { internalError } from "@gatewright/kube";
import type { StatusError } from "@gatewright/kube";
import type { AdmissionPlugin } from "../admission.ts";
import { isExempt } from "../matching/exempt.ts";
import { applies, webhookSource } from "./applicable-webhooks.ts";
import { callWebhook } from "./call-webhook.ts";
import type { WebhookCall } from "./call-webhook.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

const CONFIGURATIONS = { group: "admissionregistration.k8s.io", resource: "validatingwebhookconfigurations" };

/** Asks all matching validating webhooks at once. All must allow; of several refusals the first in order is told. */
export function validatingWebhooks(deps: WebhookDeps): AdmissionPlugin {
  const webhooks = webhookSource(deps.cluster, CONFIGURATIONS);
  return {
    name: "ValidatingAdmissionWebhook",
    async validate(attributes) {
      if (isExempt(attributes)) return;
      const calls: WebhookCall[] = [];
      for (const webhook of webhooks()) {
        const found = await applies(webhook, attributes, deps.cluster, deps.authorizer);
        if (found) calls.push({ webhook, attributes, ...found, mutating: false });
      }
      if (calls.length === 0) return;
      const refusals = await Promise.all(calls.map((call) => refusalBy(call, deps)));
      const first = refusals.find((refusal) => refusal !== undefined);
      if (first) throw first;
    },
  };
}

async function refusalBy(call: WebhookCall, deps: WebhookDeps): Promise<StatusError | undefined> {
  const outcome = await callWebhook(call, deps.callWebhook, deps.random);
  if (outcome.type === "refused") return outcome.error;
  if (outcome.type === "allowed") return undefined;
  if (!call.webhook.ignoreFailures) return internalError(outcome.message);
  deps.report(outcome.message);
  return undefined;
}
