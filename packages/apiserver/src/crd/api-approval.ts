import type { KubeObject } from "@gatewright/kube";

const ANNOTATION = "api-approved.kubernetes.io";
const SEE = "see https://github.com/kubernetes/enhancements/pull/1111";

/** Whether a definition in a group of the Kubernetes community says who approved it. */
export interface ApiApproval {
  readonly state: "missing" | "bypassed" | "approved" | "invalid";
  readonly reason: string;
}

/** Groups that only the Kubernetes community gives out. */
export function isProtectedGroup(group: string): boolean {
  return ["k8s.io", "kubernetes.io"].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

export function apiApproval(crd: KubeObject): ApiApproval {
  const annotation = approvalAnnotation(crd);
  if (annotation === "") {
    return { state: "missing", reason: `protected groups must have approval annotation "${ANNOTATION}", ${SEE}` };
  }
  if (annotation.startsWith("unapproved"))
    return { state: "bypassed", reason: `not approved: ${JSON.stringify(annotation)}` };
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#\s]+/.test(annotation)) {
    return { state: "approved", reason: `approved in ${annotation}` };
  }
  return {
    state: "invalid",
    reason: `protected groups must have approval annotation "${ANNOTATION}" with either a URL or a reason starting with "unapproved", ${SEE}`,
  };
}

export function approvalAnnotation(crd: KubeObject): string {
  const { annotations } = crd.metadata;
  return annotations && Object.hasOwn(annotations, ANNOTATION) ? annotations[ANNOTATION]! : "";
}

export const approvalPath = `metadata.annotations[${ANNOTATION}]`;
