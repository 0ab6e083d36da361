import { upKube } from "../testbed/index.ts";
import type { Served } from "./served.ts";

/**
 * The real kube-apiserver on an etcd that syncs its writes, and nothing else of a control plane: no audit log, no
 * controllers. Built first when the test bed's cache has none. Throws PartMissingError where it cannot be had.
 */
export async function serveKube(): Promise<Served> {
  const kube = await upKube({
    durable: true,
    audit: false,
    controllers: [],
    nodes: false,
    gatewayApi: false,
    progress: console.log,
  });
  return {
    url: kube.url,
    startMs: kube.startMs,
    processes: kube.processes,
    headers: { authorization: `Bearer ${kube.token}` },
    end: () => kube.stop(),
  };
}
