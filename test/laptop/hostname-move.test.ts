import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { kubeconfigFor } from "@gatewright/apiserver";
import { GatewayHostnameRequest, HTTPRoute } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { applyApplication, laptopWorld, NAMESPACE, until, untilReady } from "./laptop-world.ts";
import type { LaptopWorld } from "./laptop-world.ts";

const MAIN = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.cjs");
const [ZONE, HOSTNAME] = ["A1231313", "test.opendi.com"];
const at = (name: string) => ({ namespace: NAMESPACE, name });

interface Answer {
  readonly address: string;
  readonly status: number;
}

/** Visits the hostname as a new visitor would: asks DNS, trusts the authority, opens a connection. */
async function visit({ laptop: { cloud } }: LaptopWorld, ca: string): Promise<Answer> {
  const resolver = new Resolver({ tries: 2, timeout: 10_000 });
  resolver.setServers([`${cloud.dns.host}:${cloud.dns.port}`]);
  const [address = ""] = await resolver.resolve4(HOSTNAME);
  const endpoint = cloud.endpoints().find(({ host, port }) => host === address && port % 1000 === 443);
  // Another world on the same machine would be visited instead.
  if (endpoint?.problem !== undefined) throw new Error(`${address} does not listen: ${endpoint.problem}`);
  return new Promise((resolve, reject) => {
    const headers = { host: HOSTNAME };
    const { port = 0 } = endpoint ?? {};
    const asked = request({ host: address, port, servername: HOSTNAME, headers, ca, agent: false }, (answer) => {
      answer.resume().once("end", () => resolve({ address, status: answer.statusCode ?? 0 }));
      answer.once("error", reject);
    });
    asked.once("error", reject).end();
  });
}

async function ask(client: Client, name: string, spec: object): Promise<void> {
  const object = { metadata: at(name), spec: { zoneId: ZONE, ...spec } };
  await client.for(GatewayHostnameRequest).create(object as GatewayHostnameRequest);
}

async function untilOn(client: Client, name: string, gateway: string): Promise<void> {
  await until(`${name} is live on ${gateway}`, async () => {
    const { status } = await client.for(GatewayHostnameRequest).get(at(name));
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    return ready?.status === "True" && status?.assignedGateway === gateway;
  });
}

async function route(client: Client, gateways: readonly string[]): Promise<void> {
  await client.for(HTTPRoute).apply({
    metadata: at("web"),
    spec: {
      parentRefs: gateways.map((name) => ({ name, namespace: "edge" })),
      hostnames: [HOSTNAME],
      rules: [{ backendRefs: [{ name: "web", port: 80 }] }],
    },
  });
}

test("gatewright move takes a hostname to another load balancer, and no request is lost meanwhile", async () => {
  await using world = await laptopWorld({ zones: new Map([[ZONE, "opendi.com"]]) });
  const { client } = world;
  const listener = await world.laptop.server.listen({ host: "127.0.0.1", port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "gatewright-move-"));
  await using ending = new AsyncDisposableStack();
  ending.defer(() => listener.close());
  ending.defer(() => rmSync(folder, { recursive: true }));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigFor({ server: listener.url }));
  const moves = (...args: readonly string[]) =>
    new Promise<{ readonly code: number; readonly told: string }>((resolve) => {
      const env = { ...process.env, KUBECONFIG: kubeconfig };
      const child = execFile(process.execPath, [MAIN, "move", ...args], { env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, told: `${stdout}${stderr}` }),
      );
    });

  await ask(client, "test", { hostname: HOSTNAME });
  await applyApplication(client, { name: "web", version: "v1", replicas: 2 });
  await untilOn(client, "test", "gw-01");
  // What asks for a label that no Gateway has gets the next one.
  await ask(client, "other", { hostname: "other.opendi.com", gatewaySelector: { matchLabels: { team: "other" } } });
  await untilOn(client, "other", "gw-02");
  await untilReady(client, "web");
  await route(client, ["gw-01"]);
  const ca = await world.laptop.cloud.caCertificate();
  await until("it answers", async () => (await visit(world, ca)).status === 200);

  const refused = await moves("test", "-n", NAMESPACE, "--to", "gw-02");
  assert.equal(refused.code, 1, refused.told);
  assert.match(refused.told, /HTTPRoute shop\/web has to name gw-02 beside gw-01/);
  const absent = await moves("test", "-n", NAMESPACE, "--to", "gw-07", "--anyway");
  assert.equal(absent.code, 1, absent.told);
  assert.match(absent.told, /There is no Gateway gw-07 in the pool/);

  await route(client, ["gw-01", "gw-02"]);
  const answers: (Answer | Error)[] = [];
  const stopping = new AbortController();
  const visiting = (async () => {
    while (!stopping.signal.aborted) {
      answers.push(await visit(world, ca).catch((error: unknown) => error as Error));
      await pause(10);
    }
  })();
  const moved = await moves("test", "-n", NAMESPACE, "--to", "gw-02");
  await pause(500);
  stopping.abort();
  await visiting;
  assert.equal(moved.code, 0, moved.told);
  assert.match(moved.told, /test\.opendi\.com is served by gw-02 alone/);
  assert.deepEqual(
    answers.filter((answer) => answer instanceof Error || answer.status !== 200),
    [],
    moved.told,
  );
  const addresses = new Set(answers.flatMap((answer) => (answer instanceof Error ? [] : [answer.address])));
  assert.equal(addresses.size, 2);
  assert.deepEqual(world.faults, []);
});
