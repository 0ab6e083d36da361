import type { ClusterView } from "./cluster-view.ts";
import { fail, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

const GROUP = "admissionregistration.k8s.io";

/** Whether the API server can hold routes to granted hostnames by itself. */
export async function admissionPolicies(cluster: ClusterView): Promise<readonly Finding[]> {
  const check = "ValidatingAdmissionPolicy";
  const served = await cluster.served(GROUP, "v1");
  return served.has("validatingadmissionpolicies") && served.has("validatingadmissionpolicybindings")
    ? [ok(check, "served")]
    : [fail(check, "not served as v1", "Upgrade to Kubernetes 1.30, or use the policies for Kyverno or Gatekeeper.")];
}
