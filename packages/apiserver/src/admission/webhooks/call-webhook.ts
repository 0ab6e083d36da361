import { StatusError, badRequest, isObject, quote } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { uuid } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import type { AdmissionAttributes } from "../admission.ts";
import type { Invocation } from "../matching/match-criteria.ts";
import { admissionReview } from "./admission-request.ts";
import type { VersionedObjects } from "./admission-request.ts";
import { InvalidResponseError, readAdmissionResponse } from "./admission-response.ts";
import { WebhookCallError } from "./webhook-client.ts";
import type { WebhookCaller } from "./webhook-client.ts";
import type { Webhook } from "./webhook.ts";

/** What came of asking a webhook. */
export type WebhookOutcome =
  | { readonly type: "allowed"; readonly patch: readonly Json[] }
  /** The request is refused, whatever the failure policy says. */
  | { readonly type: "refused"; readonly error: StatusError }
  /** There is no answer to go by: the failure policy decides. */
  | { readonly type: "failed"; readonly message: string };

export interface WebhookCall {
  readonly webhook: Webhook;
  readonly attributes: AdmissionAttributes;
  readonly invocation: Invocation;
  readonly objects: VersionedObjects;
  readonly mutating: boolean;
}

/** Asks one webhook about one request. Warnings go to the client, also when the request is refused. */
export async function callWebhook(call: WebhookCall, caller: WebhookCaller, random: Random): Promise<WebhookOutcome> {
  const { webhook, attributes } = call;
  const { name, sideEffects } = webhook;
  const failed = (why: string): WebhookOutcome => ({
    type: "failed",
    message: `failed calling webhook ${quote(name)}: ${why}`,
  });
  if (attributes.dryRun && sideEffects !== "None" && sideEffects !== "NoneOnDryRun") {
    if (sideEffects === undefined) return failed("Webhook SideEffects is nil");
    const error = badRequest(`admission webhook ${quote(name)} does not support dry run`);
    return { type: "refused", error };
  }
  const version = webhook.reviewVersions.find((v) => v === "v1" || v === "v1beta1");
  if (version === undefined) {
    const why = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    return failed(`could not create admission objects: ${why}`);
  }
  const uid = uuid(random);
  const review = admissionReview(attributes, call.invocation, call.objects, version, uid);
  try {
    const answer = await caller(webhook.clientConfig, review, { timeoutMs: webhook.timeoutMs });
    const response = readAdmissionResponse(answer, { version, uid, mutating: call.mutating });
    for (const warning of response.warnings) attributes.warn(warning);
    if (response.allowed) return { type: "allowed", patch: response.patch };
    return { type: "refused", error: denial(name, response.status ?? {}) };
  } catch (error) {
    if (error instanceof WebhookCallError) return failed(`failed to call webhook: ${error.message}`);
    if (error instanceof InvalidResponseError) return failed(error.message);
    throw error;
  }
}

/** The webhook's own Status, with its name in the message, and never a code that means success. */
function denial(name: string, status: JsonObject): StatusError {
  const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
  const [message, reason] = [text(status.message), text(status.reason)];
  const told = message || reason;
  const denied = `admission webhook ${quote(name)} denied the request`;
  const code = typeof status.code === "number" && status.code >= 400 ? status.code : 400;
  return new StatusError({
    code,
    message: told === "" ? `${denied} without explanation` : `${denied}: ${told}`,
    ...(reason !== "" && { reason }),
    ...(isObject(status.details) && { details: status.details }),
  });
}
