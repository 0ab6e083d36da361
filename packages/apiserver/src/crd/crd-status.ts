import { X509Certificate } from "node:crypto";
import { deepEqual } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { struct, text } from "../resources/object-fields.ts";
import { apiApproval, isProtectedGroup } from "./api-approval.ts";
import { removeCondition, setCondition } from "./conditions.ts";
import type { Condition } from "./conditions.ts";
import { claimNames } from "./crd-names.ts";
import { conditionStatus } from "./crd-view.ts";

const APPROVAL_REASONS = {
  missing: "MissingAnnotation",
  invalid: "InvalidAnnotation",
  bypassed: "UnapprovedAnnotation",
  approved: "ApprovedAnnotation",
} as const;

/**
 * Brings the status of a definition up to date: which names it got, whether it is served. Returns whether it changed. A
 * definition that was established stays so.
 */
export function updateCrdStatus(crd: KubeObject, others: Iterable<KubeObject>, now: number): boolean {
  const status = struct(crd, "status") ?? {};
  crd["status"] = status;
  const { accepted, condition } = claimNames(crd, others);
  const conditions = [condition, ...establishment(crd, condition.status === "True"), ...approval(crd)];
  let changed = !deepEqual(status["acceptedNames"], accepted);
  status["acceptedNames"] = accepted;
  for (const each of conditions) changed = setCondition(crd, each, now) || changed;
  if (!isProtectedGroup(text(struct(crd, "spec"), "group"))) {
    changed = removeCondition(crd, "KubernetesAPIApprovalPolicyConformant") || changed;
  }
  return changed;
}

function establishment(crd: KubeObject, accepted: boolean): Condition[] {
  if (conditionStatus(crd, "Established") === "True") return [];
  const type = "Established";
  if (!accepted) return [{ type, status: "False", reason: "NotAccepted", message: "not all names are accepted" }];
  if (!hasUsableBundle(crd)) {
    return [
      { type, status: "False", reason: "InvalidCABundle", message: "The conversion webhook CABundle is invalid" },
    ];
  }
  return [{ type, status: "True", reason: "InitialNamesAccepted", message: "the initial names have been accepted" }];
}

function approval(crd: KubeObject): Condition[] {
  if (!isProtectedGroup(text(struct(crd, "spec"), "group"))) return [];
  const { state, reason } = apiApproval(crd);
  const status = state === "approved" ? "True" : "False";
  return [{ type: "KubernetesAPIApprovalPolicyConformant", status, reason: APPROVAL_REASONS[state], message: reason }];
}

/** A conversion webhook without certificates trusts the system's; one with certificates must have readable ones. */
function hasUsableBundle(crd: KubeObject): boolean {
  const webhook = struct(crd, "spec", "conversion", "webhook");
  const bundle = text(struct(webhook, "clientConfig"), "caBundle");
  if (bundle === "") return true;
  try {
    return new X509Certificate(Buffer.from(bundle, "base64")).subject !== undefined;
  } catch {
    // What cannot be read as a certificate is what is asked for here.
    return false;
  }
}
