import {
  StatusError,
  deepClone,
  deepEqual,
  getPath,
  internalError,
  isObject,
  parseGroupVersion,
  quote,
} from "@gatewright/kube";
import type { Json, KubeObject } from "@gatewright/kube";
import { applyJsonPatch } from "@gatewright/kube/patch";
import type { AdmissionAttributes } from "../admission.ts";
import { isExempt } from "../matching/exempt.ts";
import { applies, converted, webhookSource } from "./applicable-webhooks.ts";
import { callWebhook } from "./call-webhook.ts";
import type { WebhookCall } from "./call-webhook.ts";
import type { Reinvocation } from "./reinvocation.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

const CONFIGURATIONS = { group: "admissionregistration.k8s.io", resource: "mutatingwebhookconfigurations" };

/** One round of mutating webhooks over a request. */
export type MutatingWebhooks = (attributes: AdmissionAttributes, reinvocation: Reinvocation) => Promise<void>;

/** Asks matching mutating webhooks one after the other, each with what those before it made of the object. */
export function mutatingWebhooks(deps: WebhookDeps): MutatingWebhooks {
  const webhooks = webhookSource(deps.cluster, CONFIGURATIONS);
  return async (attributes, reinvocation) => {
    if (isExempt(attributes)) return;
    reinvocation.enter((output) => deepEqual(output, attributes.object));
    let asked = false;
    for (const webhook of webhooks()) {
      const found = await applies(webhook, attributes, deps.cluster, deps.authorizer);
      if (!found || !reinvocation.allows(webhook.id)) continue;
      asked = true;
      const changed = await ask({ webhook, attributes, ...found, mutating: true }, deps);
      reinvocation.ran(webhook, changed);
    }
    if (asked) reinvocation.leave(attributes.object && deepClone(attributes.object));
  };
}

/** Returns whether the webhook changed the object. */
async function ask(call: WebhookCall, deps: WebhookDeps): Promise<boolean> {
  const outcome = await callWebhook(call, deps.callWebhook, deps.random);
  switch (outcome.type) {
    case "refused":
      throw outcome.error;
    case "failed":
      if (!call.webhook.ignoreFailures) throw internalError(outcome.message);
      deps.report(outcome.message);
      return false;
    case "allowed":
      return outcome.patch.length > 0 && applyPatch(call, outcome.patch, deps);
  }
}

async function applyPatch(call: WebhookCall, patch: readonly Json[], deps: WebhookDeps): Promise<boolean> {
  const { webhook, attributes, objects } = call;
  if (objects.object === undefined) {
    const why = "attempted to modify the object, which is not supported for this operation";
    throw internalError(`admission webhook ${quote(webhook.name)} ${why}`);
  }
  const patched = patchedObject(objects.object, patch);
  if (deepEqual(patched, objects.object)) return false;
  const inRequestVersion = await converted(patched, attributes.resource, attributes.kind.version, deps.cluster);
  try {
    attributes.object = attributes.normalize(inRequestVersion);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw internalError(error.message.replace(/^.* cannot be handled as a \w+: /, ""), error);
  }
  return true;
}

function patchedObject(object: KubeObject, patch: readonly Json[]): KubeObject {
  let patched: Json;
  try {
    patched = applyJsonPatch(object, patch);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw internalError(typeof error.cause === "string" ? error.cause : error.message, error);
  }
  if (!isObject(patched) || patched.kind !== object.kind || patched.apiVersion !== object.apiVersion) {
    throw new StatusError({
      code: 500,
      message: `converting (${made(patched)}) to (${wanted(object)}): unknown conversion`,
    });
  }
  if (!isObject(patched.metadata)) patched.metadata = {};
  return patched as unknown as KubeObject;
}

/** A kind as Go names its versioned type: `v1.Secret`. */
function made(object: Json): string {
  const version = parseGroupVersion(String(getPath(object, "apiVersion") ?? ""))?.version ?? "";
  return `${version}.${String(getPath(object, "kind") ?? "")}`;
}

/** A kind as Go names its internal type: `core.ConfigMap`. */
function wanted({ apiVersion, kind }: KubeObject): string {
  const group = parseGroupVersion(apiVersion)?.group ?? "";
  return `${group === "" ? "core" : group.split(".")[0]}.${kind}`;
}
