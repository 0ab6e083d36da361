import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeBinaries } from "./binaries.ts";
import type { Credentials } from "./credentials.ts";

/** Which ports of the loopback interface a control plane uses. */
export interface KubePorts {
  readonly api: number;
  readonly etcd: number;
  readonly etcdPeer: number;
}

export interface Program {
  readonly name: keyof KubeBinaries;
  readonly args: readonly string[];
}

export interface ControlPlaneOptions {
  readonly folder: string;
  readonly ports: KubePorts;
  readonly credentials: Credentials;
  /** Whether writes are on disk before they are answered. */
  readonly durable: boolean;
  /** Whether requests are written to an audit log. */
  readonly audit: boolean;
  /** Names of controllers to run, as kube-controller-manager takes them. */
  readonly controllers: readonly string[];
}

/** Nothing runs at this address (RFC 5737). kube-apiserver refuses to advertise loopback and needs some address. */
export const ADVERTISED_ADDRESS = "192.0.2.1";

const AUDIT_POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Metadata" }],
};

export function etcdProgram({ folder, ports, durable }: ControlPlaneOptions): Program {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return {
    name: "etcd",
    args: [
      `--data-dir=${join(folder, "etcd")}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      "--log-level=error",
      ...(durable ? [] : ["--unsafe-no-fsync"]),
    ],
  };
}

/** RBAC and TLS are on; anonymous callers may do what Kubernetes grants them by default. */
export function apiserverProgram({ folder, ports, audit, credentials: { files } }: ControlPlaneOptions): Program {
  const policy = join(folder, "audit-policy.json");
  writeFileSync(policy, JSON.stringify(AUDIT_POLICY));
  return {
    name: "kube-apiserver",
    args: [
      `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
      `--secure-port=${ports.api}`,
      "--bind-address=127.0.0.1",
      `--advertise-address=${ADVERTISED_ADDRESS}`,
      `--tls-cert-file=${files.cert}`,
      `--tls-private-key-file=${files.key}`,
      `--client-ca-file=${files.ca}`,
      `--token-auth-file=${files.tokens}`,
      "--authorization-mode=Node,RBAC",
      "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
      `--service-account-key-file=${files.serviceAccountKey}`,
      `--service-account-signing-key-file=${files.serviceAccountKey}`,
      "--service-cluster-ip-range=10.0.0.0/16",
      "--allow-privileged=true",
      ...(audit ? [`--audit-policy-file=${policy}`, `--audit-log-path=${join(folder, "logs", "audit.log")}`] : []),
    ],
  };
}

export function controllerManagerProgram({ controllers, credentials: { files } }: ControlPlaneOptions): Program {
  return {
    name: "kube-controller-manager",
    args: [
      `--kubeconfig=${files.kubeconfig}`,
      `--controllers=${controllers.join(",")}`,
      `--service-account-private-key-file=${files.serviceAccountKey}`,
      `--root-ca-file=${files.ca}`,
      `--cluster-signing-cert-file=${files.ca}`,
      `--cluster-signing-key-file=${files.caKey}`,
      "--leader-elect=false",
      "--secure-port=0",
      // Its default of 20 requests a second is for clusters whose masters are busy.
      "--kube-api-qps=500",
      "--kube-api-burst=1000",
    ],
  };
}
