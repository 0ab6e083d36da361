import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer, kubeconfigFor } from "@gatewright/apiserver";
import { createAws, createHttpSend } from "@gatewright/aws";
import type { ApiObject } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { LAPTOP_KEY, startLocalCloud } from "@gatewright/local-aws";
import { DEFAULT_INSTALL_SETTINGS, installation } from "@gatewright/operator";
import { systemClock, systemRandom } from "@gatewright/ports";
import { allResources, gatewayResources } from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { installDefinitions } from "../../packages/laptop/src/install-definitions.ts";
import { installEdge } from "../../packages/laptop/src/install-edge.ts";
import { loadBalancers } from "../../packages/laptop/src/load-balancers/load-balancers.ts";
import { freePorts } from "../../testbed/index.ts";
import { eventually } from "../real/eventually.ts";
import { mountedSecret, reachedAt } from "../real/outside-pods.ts";
import { startCommand } from "../real/routing/started-command.ts";
import { namedBackend } from "../routing/named-backend.ts";
import { run } from "../tools/command.ts";

const ZONE = "Z0123456789ABC";

/** An operator with all parts and a gateway, in processes of their own, that have something of everything to do. */
export interface WatchedWorld extends AsyncDisposable {
  /** `host:port` whose `/metrics` tell: the operator's and the gateway's. */
  readonly targets: readonly [operator: string, gateway: string];
}

export async function startWatchedWorld(kubectl: string): Promise<WatchedWorld> {
  await using started = new AsyncDisposableStack();
  const ports = { clock: systemClock, random: systemRandom };
  const folder = await mkdtemp(join(tmpdir(), "gatewright-watched-"));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  const stopping = new AbortController();
  started.defer(() => stopping.abort());
  const [api = 0, dns = 0, stream = 0, webhook = 0, health = 0, metrics = 0, plain = 0, admin = 0] = await freePorts(8);
  const server = started.adopt(await createApiServer(), (each) => each.close());
  const listener = started.adopt(await server.listen({ host: "127.0.0.1", port: 0 }), (each) => each.close());
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, kubeconfigFor({ server: listener.url }));
  const cloud = started.use(
    await startLocalCloud({
      ...ports,
      pace: { durations: 0, lag: false },
      api: { port: api },
      dns: { port: dns },
      zones: [{ id: ZONE, name: "example.com", account: LAPTOP_KEY.account }],
      onFault: (error) => {
        throw error;
      },
    }),
  );
  const http = started.adopt(createHttpSend(), (each) => each.close());
  const aws = createAws({
    ...ports,
    region: "us-east-1",
    endpoint: cloud.url,
    credentials: async () => LAPTOP_KEY,
    send: http.send,
  });
  const user = createClient(server.transport(), { ...ports, fieldManager: "platform" });
  await installDefinitions(user, "platform", [...allResources, ...gatewayResources], stopping.signal);
  await server.idle();
  await installEdge(user, stopping.signal);
  for (const name of ["gatewright", "team"]) await user.for(core.Namespace).apply({ metadata: { name } });
  const { webhook: webhooks } = installation(DEFAULT_INSTALL_SETTINGS);
  await applied(
    kubectl,
    kubeconfig,
    webhooks.map((each) => reachedAt(each, webhook)),
  );
  const manager = createManager({ name: "balancers", transport: server.transport(), ...ports });
  for (const each of Object.values(loadBalancers({ aws, clock: systemClock, provisioningMs: 100, refusedMs: 500 })))
    manager.add(each);
  const running = manager.run(stopping.signal);
  started.defer(async () => {
    stopping.abort();
    await running;
  });

  const flags = {
    kubeconfig,
    "cluster-name": "watched",
    "aws-region": "us-east-1",
    "aws-endpoint-url": cloud.url,
    "dns-servers": "none",
    "bundle-window": "100ms",
    "flush-window": "100ms",
    gateways: "gatewright/edge-1",
    "grpc-port": stream,
    "webhook-port": webhook,
    "health-probe-bind-address": `127.0.0.1:${health}`,
    "metrics-bind-address": `127.0.0.1:${metrics}`,
    "cert-dns-names": "127.0.0.1",
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const keys = { AWS_ACCESS_KEY_ID: LAPTOP_KEY.accessKeyId, AWS_SECRET_ACCESS_KEY: LAPTOP_KEY.secretAccessKey };
  const operator = started.adopt(startCommand(["operator", ...args], keys), (each) => each.end("SIGKILL"));
  await eventually(
    "the operator is ready",
    () =>
      fetch(`http://127.0.0.1:${health}/readyz`).then(
        (answer) => answer.text(),
        () => operator.said().slice(-2000),
      ),
    (seen) => seen === "ok",
  );
  const client = join(folder, "client");
  await mountedSecret(user, { namespace: "gatewright", name: "edge-1-operator-client" }, client);
  await mkdir(join(folder, "state"));
  const tls = {
    caFile: join(client, "ca.crt"),
    certFile: join(client, "tls.crt"),
    keyFile: join(client, "tls.key"),
    serverName: "gatewright.gatewright.svc",
  };
  const settings = {
    apiVersion: "gateway.avapigw.io/v1",
    kind: "Gateway",
    metadata: { name: "edge-1" },
    spec: {
      listeners: [{ name: "http", address: "127.0.0.1", port: plain }],
      admin: { port: admin },
      accessLog: { enabled: false },
      operator: { address: `127.0.0.1:${stream}`, namespace: "gatewright", tls },
    },
  };
  await writeFile(join(folder, "gateway.yaml"), JSON.stringify(settings));
  started.adopt(startCommand(["gateway", "--config", join(folder, "gateway.yaml")]), (each) => each.end("SIGKILL"));

  const backend = started.adopt(await namedBackend("orders"), (each) => each.close());
  await applied(kubectl, kubeconfig, story(backend.port));
  await untilAllHappened(user, `http://127.0.0.1:${metrics}/metrics`);
  await knockAt(plain);
  const all = started.move();
  return {
    targets: [`127.0.0.1:${metrics}`, `127.0.0.1:${admin}`],
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Something for each part, and something that goes wrong. */
function story(port: number): readonly ApiObject[] {
  const object = (apiVersion: string, kind: string, name: string, spec: object): ApiObject =>
    ({ apiVersion, kind, metadata: { namespace: "team", name }, spec }) as ApiObject;
  const hostname = (name: string, of: string) =>
    object("gateway.opendi.com/v1alpha1", "GatewayHostnameRequest", name, { zoneId: ZONE, hostname: of });
  const aws = (kind: string, name: string, spec: object) =>
    object("aws-infra-operator.runner.codes/v1alpha1", kind, name, spec);
  const rival = hostname("rival", "shop.example.com");
  return [
    object("avapigw.io/v1alpha1", "Backend", "orders", { hosts: [{ address: "127.0.0.1", port, weight: 1 }] }),
    object("avapigw.io/v1alpha1", "APIRoute", "orders", {
      match: [{ uri: { prefix: "/orders" } }],
      route: [{ destination: { host: "orders", port }, weight: 100 }],
    }),
    object("cloudnative.elide.dev/v1", "Application", "web", { image: "web:1" }),
    hostname("shop", "shop.example.com"),
    { ...rival, metadata: { namespace: "default", name: "rival" } },
    aws("AWSProvider", "aws", { region: "us-east-1" }),
    aws("SQSQueue", "orders", { providerRef: { name: "aws" }, queueName: "orders" }),
    aws("SQSQueue", "lost", { providerRef: { name: "nobody" }, queueName: "lost" }),
  ];
}

/** Until the operator has counted what became of all of it. */
async function untilAllHappened(user: Client, url: string): Promise<void> {
  const counted = [
    /^gatewright_hostnames\{state="Serving"\} 1$/m,
    /^gatewright_claims_denied_total\{reason="ClaimedByAnother"\} 1$/m,
    /^gatewright_hostname_ready_seconds_count 1$/m,
    /^gatewright_aws_resources\{kind="SQSQueue",state="InSync"\} 1$/m,
    /^gatewright_aws_resources\{kind="SQSQueue",state="ProviderNotReady"\} 1$/m,
    /^avapigw_operator_gateways_connected 1$/m,
    /^controller_runtime_webhook_requests_total\{[^}]*code="200"\} [1-9]/m,
  ];
  await eventually(
    "all of it has happened",
    async () => {
      const text = await (await fetch(url)).text();
      return counted.filter((pattern) => !pattern.test(text)).map(String);
    },
    (left) => left.length === 0,
  );
  await user.for(core.Namespace).get({ name: "team" });
}

/** Requests that are answered, that lead nowhere, that are given up, and one that is none. */
async function knockAt(port: number): Promise<void> {
  for (let i = 0; i < 20; i++) await (await fetch(`http://127.0.0.1:${port}/orders/${i}`)).text();
  await (await fetch(`http://127.0.0.1:${port}/nowhere`)).text();
  await new Promise<void>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end("NONSENSE\r\n\r\n"));
    socket.on("close", () => resolve()).on("error", () => {});
    socket.resume();
  });
}

/** Applies objects with the real kubectl. */
async function applied(kubectl: string, kubeconfig: string, objects: readonly ApiObject[]): Promise<void> {
  const stdin = objects.map((object) => JSON.stringify(object)).join("\n---\n");
  const args = ["--kubeconfig", kubeconfig, "apply", "--server-side", "--force-conflicts", "-f", "-"];
  const { code, stderr } = await run(kubectl, args, { stdin });
  if (code !== 0) throw new Error(`kubectl apply: ${stderr}`);
}
