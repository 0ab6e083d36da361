import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, untilFree } from "../free-port.ts";
import { endAll, killAll, launch } from "../processes.ts";
import type { PartProcess } from "../processes.ts";
import { until } from "../readiness.ts";
import type { Waiting } from "../readiness.ts";
import { silent } from "../progress.ts";
import type { Progress } from "../progress.ts";
import { kubeBinaries } from "./binaries.ts";
import { apiserverProgram, controllerManagerProgram, etcdProgram } from "./control-plane.ts";
import type { Program } from "./control-plane.ts";
import { createCredentials } from "./credentials.ts";
import type { TokenUser } from "./credentials.ts";
import { installGatewayApi } from "./gateway-api.ts";
import { KubeClient } from "./kube-client.ts";
import { CURRENT_KUBERNETES } from "./versions.ts";

export interface KubeOptions {
  /** Default: the version that the embedded server is measured against. */
  readonly version?: string;
  /** Users besides the admin. */
  readonly users?: readonly TokenUser[];
  /** Which controllers run. Default: all but those that judge nodes. With none there is no controller manager either. */
  readonly controllers?: readonly string[];
  /** Whether a stand-in node runs pods, so that Deployments become ready. Default: true. */
  readonly nodes?: boolean;
  /** Whether the CRDs of the Gateway API are installed when they lie beside the checkout. Default: true. */
  readonly gatewayApi?: boolean;
  /** Whether etcd syncs its writes. Default: false. */
  readonly durable?: boolean;
  /** Whether requests are written to the audit log. Default: true. */
  readonly audit?: boolean;
  /** Where data and logs go. Default: a temporary folder that ends with `stop()`. */
  readonly folder?: string;
  /** Whether it goes on after this process ends. Default: false. */
  readonly outlive?: boolean;
  readonly progress?: Progress;
  readonly signal?: AbortSignal | undefined;
}

/** A real control plane on loopback. */
export interface Kube extends AsyncDisposable {
  readonly version: string;
  readonly url: string;
  /** Path of the admin's kubeconfig. */
  readonly kubeconfig: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** The admin's token. */
  readonly token: string;
  readonly folder: string;
  /** Milliseconds from the start of etcd until `/readyz` answered ok. */
  readonly startMs: number;
  /** In the order in which they are to be ended. */
  readonly processes: readonly PartProcess[];
  /** Kills the API server without warning, starts it again at the same address and waits until it is ready. */
  restartServer(): Promise<void>;
  /** Ends it; data and logs go when the folder was a temporary one. */
  stop(): Promise<void>;
}

/** Node controllers would evict pods from a node that nobody really runs. */
const CONTROLLERS = ["*", "-node-lifecycle-controller", "-node-ipam-controller"];
const START_MS = 120_000;

/** Starts a control plane and waits until it is ready, building it first when the cache has none. */
export async function upKube(options: KubeOptions = {}): Promise<Kube> {
  const { version = CURRENT_KUBERNETES, progress = silent, outlive = false, signal } = options;
  const binaries = await kubeBinaries(version, progress, signal);
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "gatewright-kube-"));
  mkdirSync(join(folder, "logs"), { recursive: true });
  const [api = 0, etcd = 0, etcdPeer = 0] = await freePorts(3);
  const url = `https://127.0.0.1:${api}`;
  const credentials = await createCredentials(folder, url, options.users);
  const access = { url, ca: credentials.authority.certificate, token: credentials.token };
  const client = new KubeClient(access);
  const processes: PartProcess[] = [];
  const start = ({ name, args }: Program): Waiting => {
    const process = launch({ name, program: binaries[name], args, folder, outlive });
    processes.unshift(process);
    return { folder, process, timeoutMs: START_MS, signal };
  };
  const answersOk = (path: string, waiting: Waiting): Promise<void> =>
    until(waiting, path, async () => (await client.ask("GET", path)).status === 200);
  const stop = async (): Promise<void> => {
    client.close();
    await endAll(processes);
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const plane = {
    folder,
    ports: { api, etcd, etcdPeer },
    credentials,
    durable: options.durable ?? false,
    audit: options.audit ?? true,
    controllers: options.controllers ?? CONTROLLERS,
  };
  const started = performance.now();
  let startMs = 0;
  try {
    start(etcdProgram(plane));
    await answersOk("/readyz", start(apiserverProgram(plane)));
    startMs = performance.now() - started;
    if (plane.controllers.length > 0) {
      const manager = start(controllerManagerProgram(plane));
      // Until this exists no pod can be created.
      await answersOk("/api/v1/namespaces/default/serviceaccounts/default", manager);
    }
    if (options.nodes ?? true) processes.unshift(startNode(folder, url, outlive));
    if (options.gatewayApi ?? true) {
      const crds = await installGatewayApi(client);
      progress(
        crds.length > 0 ? `installed ${crds.length} CRDs of the Gateway API` : "no CRDs of the Gateway API here",
      );
    }
  } catch (error) {
    await endAll(processes);
    throw error;
  }
  return {
    version,
    ...access,
    kubeconfig: credentials.files.kubeconfig,
    folder,
    startMs,
    processes,
    async restartServer() {
      const at = processes.findIndex(({ name }) => name === "kube-apiserver");
      await killAll(processes.splice(at, 1));
      await untilFree(api);
      await answersOk("/readyz", start(apiserverProgram(plane)));
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The stand-in node reads its credentials from the folder: arguments can be seen by everybody on the machine. */
function startNode(folder: string, url: string, outlive: boolean): PartProcess {
  const args = [join(import.meta.dirname, "node-main.ts"), url, folder];
  return launch({ name: "node", program: process.execPath, args, folder, outlive });
}
