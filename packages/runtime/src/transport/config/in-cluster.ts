import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TransportConfig } from "../transport-config.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";

/** Where a pod finds the files of its service account. */
export const SERVICE_ACCOUNT_DIRECTORY = "/var/run/secrets/kubernetes.io/serviceaccount";

export interface InClusterOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: {@link SERVICE_ACCOUNT_DIRECTORY}. */
  readonly directory?: string;
}

/** Whether this process runs in a pod that may talk to its API server. */
export function isInCluster({ env }: InClusterOptions): boolean {
  return (env["KUBERNETES_SERVICE_HOST"] ?? "") !== "" && (env["KUBERNETES_SERVICE_PORT"] ?? "") !== "";
}

/** How a pod reaches its API server: by the environment and the files of its service account, which rotate. */
export async function inClusterConfig(options: InClusterOptions): Promise<TransportConfig> {
  const { env, directory = SERVICE_ACCOUNT_DIRECTORY } = options;
  if (!isInCluster(options)) {
    throw new KubeconfigError("not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
  }
  const host = env["KUBERNETES_SERVICE_HOST"] ?? "";
  const token = join(directory, "token");
  const readable = await readFile(token).then(
    () => true,
    () => false,
  );
  if (!readable) {
    throw new KubeconfigError("no token; does the pod have automountServiceAccountToken: false?", { file: token });
  }
  const namespace = await readFile(join(directory, "namespace"), "utf8").catch(() => "");
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${env["KUBERNETES_SERVICE_PORT"]}`,
    ca: { file: join(directory, "ca.crt") },
    token: { file: token },
    namespace: namespace.trim() === "" ? "default" : namespace.trim(),
    origin: "the service account of this pod",
  };
}
