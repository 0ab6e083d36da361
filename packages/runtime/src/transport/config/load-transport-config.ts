import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { TransportConfig } from "../transport-config.ts";
import { contextConfig } from "./context-config.ts";
import { inClusterConfig, isInCluster } from "./in-cluster.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import { readKubeconfig } from "./kubeconfig-file.ts";
import { proxyFromEnvironment } from "./proxy-from-environment.ts";

export interface LoadOptions {
  /** This file and no other. */
  readonly kubeconfig?: string;
  /** Which context of the kubeconfig. Default: its current one. */
  readonly context?: string;
  /** Default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the user's home. */
  readonly home?: string;
  /** Where the files of a pod's service account are. */
  readonly serviceAccountDirectory?: string;
}

/**
 * Finds out how to reach the API server: the file that is given, the files of KUBECONFIG, the pod's service account, or
 * `~/.kube/config`; the first of them that there is. A context is looked for in kubeconfig files only.
 */
export async function loadTransportConfig(options: LoadOptions = {}): Promise<TransportConfig> {
  const { env = process.env } = options;
  const config = await found(options, env);
  const proxy = config.proxy ?? proxyFromEnvironment(config.server, env);
  return proxy === undefined ? config : { ...config, proxy };
}

async function found(options: LoadOptions, env: NonNullable<LoadOptions["env"]>): Promise<TransportConfig> {
  const { kubeconfig, context, home = homedir(), serviceAccountDirectory: directory } = options;
  const listed = (env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  if (kubeconfig === undefined && listed.length === 0 && context === undefined && isInCluster({ env })) {
    return inClusterConfig({ env, ...(directory !== undefined && { directory }) });
  }
  const ownFile = join(home, ".kube", "config");
  const files = kubeconfig !== undefined ? [kubeconfig] : listed.length > 0 ? listed : [ownFile];
  const merged = await readKubeconfig([...new Set(files.map((file) => resolve(file)))]);
  if (merged.files.length > 0) return contextConfig(merged, context);
  throw new KubeconfigError(
    `no API server is configured: ${files.join(", ")} is not there, and this is no pod; give a kubeconfig or set KUBECONFIG`,
  );
}
