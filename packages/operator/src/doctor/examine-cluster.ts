import { StatusError } from "@gatewright/kube";
import type { Aws } from "@gatewright/aws";
import type { Clock } from "@gatewright/ports";
import type { Client } from "@gatewright/runtime";
import type { InstallSettings } from "../install/install-settings.ts";
import { AWS_PARTS } from "../part.ts";
import { admissionPolicies } from "./admission.ts";
import { awsChecks } from "./aws.ts";
import { ClusterView } from "./cluster-view.ts";
import { conflicts } from "./conflicts.ts";
import { warn } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { kubernetesVersion } from "./kubernetes-version.ts";
import { loadBalancerController } from "./load-balancer-controller.ts";
import { othersKinds, ownKinds } from "./needed-kinds.ts";
import { installersRights, operatorsRights } from "./rights.ts";

export interface ExamineOptions {
  /** As who installs. Nothing is written but questions about rights. */
  readonly client: Client;
  readonly settings: InstallSettings & { readonly gatewayAwsVersion: "v1" | "v1beta1" };
  /** Undefined: nobody is known there. */
  readonly aws: Aws | undefined;
  readonly clock: Clock;
}

/**
 * Looks whether a cluster has what the parts need. What cannot be found out is a warning, never "all well" or "not there". Rejects only
 * when the API server cannot be reached.
 */
export async function examineCluster(options: ExamineOptions, signal: AbortSignal): Promise<readonly Finding[]> {
  const { client, settings, aws, clock } = options;
  const cluster = new ClusterView(client, signal);
  const runs = (part: InstallSettings["parts"][number]): boolean => settings.parts.includes(part);
  const checks: readonly (readonly [name: string, look: () => Promise<readonly Finding[]>])[] = [
    ["kubernetes", () => kubernetesVersion(cluster)],
    ["kinds of others", () => othersKinds(cluster, settings)],
    ["kinds", () => ownKinds(cluster, settings)],
    ...(runs("hostnames")
      ? ([
          ["ValidatingAdmissionPolicy", () => admissionPolicies(cluster)],
          ["AWS Load Balancer Controller", () => loadBalancerController(cluster)],
        ] as const)
      : []),
    ["others in the cluster", () => conflicts(cluster, settings, clock)],
    ["your rights", () => installersRights(cluster, settings)],
    ["the operator's rights", () => operatorsRights(cluster, settings)],
    ...(AWS_PARTS.some(runs) ? ([["AWS", () => awsChecks(aws, settings, signal)]] as const) : []),
  ];
  const findings: Finding[] = [];
  for (const [name, look] of checks) findings.push(...(await attempt(name, look)));
  return findings;
}

async function attempt(name: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return [warn(name, `could not be found out: ${error.message}`, "Ask as somebody who may read it.")];
  }
}
