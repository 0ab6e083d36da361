import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { admissionregistration } from "@gatewright/kube/api";
import type { Client } from "@gatewright/runtime";
import { freePorts } from "../../../testbed/index.ts";
import { eventually } from "../eventually.ts";
import type { RealKube } from "../kube.ts";
import { manifests } from "../operator-account.ts";
import { mountedSecret, reachedAt } from "../outside-pods.ts";
import { startCommand } from "./started-command.ts";
import type { StartedCommand } from "./started-command.ts";

/** The operator's own namespace, which its generated role is for. */
export const OPERATOR = "gatewright";
/** Where gateways are. */
export const EDGE = "edge";
/** In whose name the operator's certificate is. */
const SERVICE = "gatewright.gatewright.svc";

/** Where a replica of the operator is reached. */
export interface ReplicaPorts {
  readonly stream: number;
  readonly webhook: number;
  readonly health: number;
}

export async function replicaPorts(): Promise<ReplicaPorts> {
  const [stream = 0, webhook = 0, health = 0] = await freePorts(3);
  return { stream, webhook, health };
}

/** Our webhooks as they are installed, but for the way to them: the API server is in no cluster that has Services. */
export function webhooksAt(port: number): admissionregistration.ValidatingWebhookConfiguration {
  const made = manifests("config/webhook/routing.yaml")[0]!;
  return reachedAt(made, port);
}

/** A kubeconfig with nothing but this token. */
export async function kubeconfigFor(kube: RealKube, token: string, file: string): Promise<void> {
  const cluster = { server: kube.url, "certificate-authority-data": Buffer.from(kube.ca).toString("base64") };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "real", cluster }],
    users: [{ name: "operator", user: { token } }],
    contexts: [{ name: "real", context: { cluster: "real", user: "operator" } }],
    "current-context": "real",
  };
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
}

/** One replica of the operator. `name` is its pod's. */
export function startOperator(
  name: string,
  kubeconfig: string,
  { stream, webhook, health }: ReplicaPorts,
): StartedCommand {
  const flags = {
    parts: "routing",
    kubeconfig,
    namespace: OPERATOR,
    gateways: `${EDGE}/edge-1,${EDGE}/edge-2`,
    "grpc-port": stream,
    "webhook-port": webhook,
    "health-probe-bind-address": `127.0.0.1:${health}`,
    "metrics-bind-address": 0,
    "cert-dns-names": "127.0.0.1",
    "ingress-lb-address": "127.0.0.1",
  };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
  return startCommand(["operator", ...args], { POD_NAME: name });
}

/** Waits until a replica says that it is ready; when that does not come, tells what it said. */
export async function untilReady(operator: StartedCommand, { health }: ReplicaPorts): Promise<void> {
  const look = async (): Promise<string> => {
    try {
      const answer = await fetch(`http://127.0.0.1:${health}/readyz`);
      return answer.ok ? "ready" : `${await answer.text()}\n${operator.said().slice(-2000)}`;
    } catch {
      return `nobody answers; ${operator.said().slice(-2000)}`; // it is not there yet
    }
  };
  await eventually("the operator is ready", look, (seen) => seen === "ready");
}

/** A gateway that dials a replica with the certificate which the operator made for it. */
export async function startGateway(
  admin: Client,
  parts: {
    readonly folder: string;
    readonly name: string;
    readonly port: number;
    readonly operator: Pick<ReplicaPorts, "stream">;
  },
): Promise<StartedCommand> {
  const { name, port, operator } = parts;
  const folder = join(parts.folder, name);
  await mountedSecret(admin, { namespace: EDGE, name: `${name}-operator-client` }, folder);
  const settings = {
    apiVersion: "gateway.avapigw.io/v1",
    kind: "Gateway",
    metadata: { name },
    spec: {
      listeners: [{ name: "http", address: "127.0.0.1", port, protocol: "HTTP" }],
      admin: { enabled: false },
      accessLog: { enabled: false },
      operator: {
        address: `127.0.0.1:${operator.stream}`,
        namespace: EDGE,
        tls: { caFile: "ca.crt", certFile: "tls.crt", keyFile: "tls.key", serverName: SERVICE },
      },
    },
  };
  const file = join(folder, "gateway.yaml");
  await writeFile(file, JSON.stringify(settings));
  return startCommand(["gateway", "--config", file]);
}
