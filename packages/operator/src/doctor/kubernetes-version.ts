import type { ClusterView } from "./cluster-view.ts";
import { fail, ok, warn } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Since then ValidatingAdmissionPolicies are served, and watches can begin with what is there. */
const NEEDED = 30;
/** The oldest that is tested. */
const TESTED = 32;

/** Whether the API server is new enough. */
export async function kubernetesVersion(cluster: ClusterView): Promise<readonly Finding[]> {
  const { gitVersion, major, minor } = (await cluster.read("/version")) as unknown as Readonly<
    Record<"gitVersion" | "major" | "minor", string>
  >;
  // Providers write it as `32+`.
  const number = major === "1" ? Number.parseInt(minor, 10) : Number.POSITIVE_INFINITY;
  const told = `Kubernetes ${gitVersion}`;
  if (number < NEEDED)
    return [fail("kubernetes", told, `Upgrade the cluster: 1.${NEEDED} is needed, 1.${TESTED} and newer are tested.`)];
  if (number < TESTED)
    return [warn("kubernetes", told, `It may work; 1.${TESTED} and newer are tested. Upgrade when you can.`)];
  return [ok("kubernetes", told)];
}
