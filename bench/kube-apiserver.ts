import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { firstAnswer } from "./served.ts";
import type { Served } from "./served.ts";

/** Where etcd and kube-apiserver are, as envtest is told; undefined when there are none. */
export function kubeAssets(): string | undefined {
  const folder = process.env["KUBEBUILDER_ASSETS"];
  if (folder === undefined) return undefined;
  return ["etcd", "kube-apiserver"].every((name) => existsSync(join(folder, name))) ? folder : undefined;
}

/** Starts the real kube-apiserver on an etcd that syncs its writes, and waits until it is ready. */
export async function serveKube(assets: string, home: string): Promise<Served> {
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const key = join(home, "service-account.key");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  const tokens = join(home, "tokens.csv");
  writeFileSync(tokens, 'bench,admin,1,"system:masters"\n');
  const started = performance.now();
  const etcd = spawn(
    join(assets, "etcd"),
    [
      `--data-dir=${home}/etcd`,
      `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
      `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      "--log-level=error",
    ],
    { stdio: "ignore" },
  );
  const apiserver = spawn(
    join(assets, "kube-apiserver"),
    [
      `--etcd-servers=http://127.0.0.1:${etcdPort}`,
      `--secure-port=${port}`,
      "--bind-address=127.0.0.1",
      `--cert-dir=${home}/certificates`,
      `--token-auth-file=${tokens}`,
      "--authorization-mode=RBAC",
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      "--service-cluster-ip-range=10.0.0.0/16",
      "--disable-admission-plugins=ServiceAccount",
      // Fairness between clients would hold one client back.
      "--max-requests-inflight=0",
      "--max-mutating-requests-inflight=0",
      "--enable-priority-and-fairness=false",
    ],
    { stdio: "ignore" },
  );
  const headers = { authorization: "Bearer bench" };
  return firstAnswer({ url: `https://127.0.0.1:${port}`, processes: [etcd, apiserver], headers }, started);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
