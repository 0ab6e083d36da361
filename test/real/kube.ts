import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { parse } from "yaml";

/** The control plane that `npm run test:real` brought up: all controllers, a stand-in node, the CRDs of the Gateway API. */
export interface RealKube {
  readonly version: string;
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** Of the admin, a member of system:masters. */
  readonly token: string;
  /** Path of the admin's kubeconfig. */
  readonly kubeconfig: string;
  /** Its logs are in `logs` of this folder. */
  readonly folder: string;
}

/** How the control plane is handed to suites. */
export const KUBE_VARIABLES = {
  /** Path of the admin's kubeconfig. */
  kubeconfig: "GATEWRIGHT_TESTBED_KUBE",
  version: "GATEWRIGHT_TESTBED_KUBE_VERSION",
  /** Why there is none. */
  missing: "GATEWRIGHT_TESTBED_KUBE_MISSING",
} as const;

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly "certificate-authority-data": string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

/** The real Kubernetes of this run, shared by all suites: use namespaces of your own. Or why there is none, for `suite`. */
export function realKube(): RealKube | { readonly missing: string } {
  const kubeconfig = process.env[KUBE_VARIABLES.kubeconfig];
  if (kubeconfig === undefined) {
    const why = process.env[KUBE_VARIABLES.missing];
    return { missing: why ?? `needs a real Kubernetes: npm run test:real, or ${KUBE_VARIABLES.kubeconfig}` };
  }
  const { clusters, users } = parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
  return {
    version: process.env[KUBE_VARIABLES.version] ?? "",
    url: clusters[0].cluster.server,
    ca: Buffer.from(clusters[0].cluster["certificate-authority-data"], "base64").toString("utf8"),
    token: users[0].user.token,
    kubeconfig,
    folder: dirname(kubeconfig),
  };
}
