import { setTimeout as sleep } from "node:timers/promises";
import type { KubeAnswer, KubeClient } from "./kube-client.ts";
import { podStatus } from "./pod-status.ts";
import type { Pod } from "./pod-status.ts";

const NODE = "testbed";
const RENEW_MS = 10_000;

/**
 * Plays scheduler and kubelet for one node without running anything: pods are bound to it, become ready at once with an
 * address of their own (those of Jobs complete), and go when they are deleted. Ends when the signal aborts.
 */
export async function runNode(client: KubeClient, signal: AbortSignal, log: (line: string) => void): Promise<void> {
  await register(client);
  const renewing = setInterval(() => void renew(client).catch(() => {}), RENEW_MS);
  let addresses = 0;
  const addressOf = new Map<string, string>();
  const address = (uid: string): string => {
    const known = addressOf.get(uid);
    if (known !== undefined) return known;
    addresses += 1;
    const made = `10.244.${(addresses >> 8) & 255}.${addresses & 255}`;
    addressOf.set(uid, made);
    return made;
  };
  try {
    while (!signal.aborted) {
      try {
        for await (const event of client.watch("/api/v1/pods?watch=1", signal)) {
          const { type, object } = event as { type: string; object: Pod };
          if (type === "DELETED") addressOf.delete(object.metadata.uid);
          else if (type === "ADDED" || type === "MODIFIED") {
            await tend(client, object, address).catch((error: unknown) =>
              log(`${object.metadata.name}: ${String(error)}`),
            );
          }
        }
      } catch (error) {
        if (!signal.aborted) log(`watching pods: ${String(error)}`);
      }
      await sleep(500, undefined, { signal }).catch(() => {});
    }
  } finally {
    clearInterval(renewing);
    client.close();
  }
}

async function tend(client: KubeClient, pod: Pod, address: (uid: string) => string): Promise<void> {
  const { name, namespace, uid, deletionTimestamp } = pod.metadata;
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  if (pod.spec.nodeName === undefined) {
    if (deletionTimestamp !== undefined) return;
    const target = { apiVersion: "v1", kind: "Node", name: NODE };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name, uid }, target };
    expectDone(await client.ask("POST", `${path}/binding`, binding));
  } else if (pod.spec.nodeName !== NODE) {
    return;
  } else if (deletionTimestamp !== undefined) {
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    expectDone(await client.ask("DELETE", path, options));
  } else if (pod.status?.phase === "Pending") {
    const status = podStatus(pod, address(uid), new Date().toISOString().replace(/\.\d+Z$/, "Z"));
    const patch = { metadata: { uid }, status };
    expectDone(await client.ask("PATCH", `${path}/status`, patch, "application/strategic-merge-patch+json"));
  }
}

/** Pods come and go while the node tends them: not found and conflict are news that the watch brings again. */
function expectDone({ status, body }: KubeAnswer): void {
  if (status >= 400 && status !== 404 && status !== 409) throw new Error(JSON.stringify(body));
}

async function register(client: KubeClient): Promise<void> {
  const capacity = { cpu: "64", memory: "256Gi", pods: "1000" };
  const ready = {
    type: "Ready",
    status: "True",
    reason: "StandIn",
    message: "nothing really runs here",
    lastHeartbeatTime: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    lastTransitionTime: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
  };
  const labels = { "kubernetes.io/hostname": NODE, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" };
  await client.ask("POST", "/api/v1/nodes", { metadata: { name: NODE, labels } });
  const status = {
    capacity,
    allocatable: capacity,
    conditions: [ready],
    addresses: [{ type: "InternalIP", address: "192.0.2.2" }],
  };
  const answer = await client.ask("PATCH", `/api/v1/nodes/${NODE}/status`, { status }, "application/merge-patch+json");
  if (answer.status !== 200) throw new Error(`the node was refused: ${JSON.stringify(answer.body)}`);
  // The taint of a new node keeps DaemonSets away.
  await client.ask("PATCH", `/api/v1/nodes/${NODE}`, { spec: { taints: null } }, "application/merge-patch+json");
  await renew(client);
}

async function renew(client: KubeClient): Promise<void> {
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  const renewTime = new Date().toISOString().replace("Z", "000Z");
  const spec = { holderIdentity: NODE, leaseDurationSeconds: 40, renewTime };
  const patched = await client.ask("PATCH", `${leases}/${NODE}`, { spec }, "application/merge-patch+json");
  if (patched.status === 404) await client.ask("POST", leases, { metadata: { name: NODE }, spec });
}
