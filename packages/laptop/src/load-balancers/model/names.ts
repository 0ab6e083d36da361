import { createHash } from "node:crypto";
import type { ObjectRef } from "@gatewright/kube";

export const CLUSTER_TAG = "elbv2.k8s.aws/cluster";
export const STACK_TAG = "gateway.k8s.aws.alb/stack";
export const RESOURCE_TAG = "gateway.k8s.aws.alb/resource";

/** `k8s-` with the beginnings of two names and a hash of all that tells this one from others: 32 characters at most. */
export function awsName({ namespace = "", name }: ObjectRef, facts: readonly string[]): string {
  const short = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 8);
  const hash = createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 10);
  return `k8s-${short(namespace)}-${short(name)}-${hash}`;
}

/** By which what is made for a Gateway is found again. */
export function trackingTags(cluster: string, stack: string, resource?: string): Readonly<Record<string, string>> {
  return {
    [CLUSTER_TAG]: cluster,
    [STACK_TAG]: stack,
    ...(resource !== undefined && { [RESOURCE_TAG]: resource }),
  };
}
