import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createApiServer, kubeconfigFor } from "@gatewright/apiserver";
import { ALL_KINDS } from "@gatewright/infra";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { composeServices, createLocalAws, createMemoryState, LAPTOP_KEY } from "@gatewright/local-aws";
import { systemClock, systemRandom } from "@gatewright/ports";
import { allResources, AWSProvider, gatewayResources } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import { freePorts } from "../../testbed/index.ts";
import { print } from "../figure.ts";
import { SAMPLES } from "./samples.ts";

/** What Crossplane's provider took on average for 10,000 objects of one kind, as it published. */
const CROSSPLANE_MB = 775;
const GOAL_MB = 300;
const ROOT = join(import.meta.dirname, "..", "..");
/** Those of the image. */
const FLAGS = ["--max-semi-space-size=32"];
/**
 * V8 gives back what a burst took with a collection that it begins when it finds the process quiet, or else 100 s after the one before:
 * by then it was.
 */
const REST_MS = 300_000;
/** What an account may have of a kind, where that is little. */
const MOST: Readonly<Record<string, number>> = { IAMRole: 1_000 };

/** The operator with all parts, as the image runs it, and that many objects of all kinds: its memory when all are as they should be. */
export async function memoryAtRest(count: number): Promise<void> {
  const ports = { clock: systemClock, random: systemRandom };
  const world = { ...ports, state: createMemoryState(), pace: { durations: 0, lag: false } };
  const services = composeServices(world, { rds: { quota: 100_000 } });
  const local = await createLocalAws({
    world,
    services: services.all,
    keys: [LAPTOP_KEY],
    limits: "off",
    onFault: (error) => {
      throw error;
    },
  });
  const cloud = await local.listen({ port: 0 });
  const server = await createApiServer(ports);
  const served = await server.listen({ host: "127.0.0.1", port: 0 });
  const client = createClient(server.transport(), { ...ports, fieldManager: "bench" });
  const kinds = ALL_KINDS.filter(({ resource }) => SAMPLES[resource.kind] !== undefined);
  for (const definition of [...allResources, ...gatewayResources])
    await client.for(apiextensions.CustomResourceDefinition).apply(crdOf(definition, { check: false }));
  await server.idle();
  for (const name of ["bench", "gatewright", "edge"]) await client.for(core.Namespace).apply({ metadata: { name } });
  await client.for(AWSProvider).apply({ metadata: { namespace: "bench", name: "aws" }, spec: { region: "eu-west-1" } });
  const each = Math.ceil(count / kinds.length);
  let total = 0;
  for (const { resource } of kinds) {
    const made = Math.min(each, MOST[resource.kind] ?? each);
    total += made;
    for (let index = 0; index < made; index++) {
      const metadata = { namespace: "bench", name: `object-${index}` };
      const spec = { providerRef: { name: "aws" }, ...SAMPLES[resource.kind]?.(index) };
      await client.for(resource).create({ metadata, spec } as never);
    }
  }
  const began = systemClock.monotonic();
  const folder = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
  const child = await startOperator(folder, served.url, cloud.url);
  for (let ready = 0; ready < total;) {
    await pause(2_000);
    ready = 0;
    for (const { resource } of kinds) {
      const { items } = await client.for(resource).list({ namespace: "bench" });
      ready += items.filter(({ status }) => status?.ready === true).length;
    }
    if (child.exitCode !== null) throw new Error(`the operator ended with ${child.exitCode}`);
  }
  const seconds = (systemClock.monotonic() - began) / 1000;
  await pause(REST_MS);
  const [megabytes, most] = [memoryOf(child.pid ?? 0, "VmRSS"), memoryOf(child.pid ?? 0, "VmHWM")];
  print(`${total} objects of ${kinds.length} kinds: all ready after`, `${seconds.toFixed(0)} s on this machine`);
  print(
    `${total} objects of ${kinds.length} kinds: memory of the operator`,
    `${megabytes.toFixed(0)} MB at rest, ${(megabytes / GOAL_MB).toFixed(2)} x the goal, ${(megabytes / CROSSPLANE_MB).toFixed(2)} x Crossplane's published; ${most.toFixed(0)} MB at most`,
  );
  child.kill("SIGTERM");
  await once(child, "exit");
  rmSync(folder, { recursive: true });
  await served.close();
  await server.close();
  await cloud.close();
}

/** The command that the image runs, from a bundle as it has one. */
async function startOperator(folder: string, server: string, aws: string): Promise<ChildProcess> {
  spawnSync(process.execPath, [join(ROOT, "scripts", "bundle.ts")], { stdio: "inherit" });
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigFor({ server }));
  const [stream = 0, webhook = 0, health = 0, metrics = 0] = await freePorts(4);
  const options = {
    kubeconfig,
    "cluster-name": "bench",
    "aws-region": "eu-west-1",
    "aws-endpoint-url": aws,
    "grpc-port": stream,
    "webhook-port": webhook,
    "health-probe-bind-address": `127.0.0.1:${health}`,
    "metrics-bind-address": `127.0.0.1:${metrics}`,
    "log-level": "error",
  };
  const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return spawn(process.execPath, [...FLAGS, join(ROOT, "packages/cli/src/main.cjs"), "operator", ...given], {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      // As the chart has it.
      MALLOC_ARENA_MAX: "1",
      AWS_ACCESS_KEY_ID: LAPTOP_KEY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: LAPTOP_KEY.secretAccessKey,
    },
  });
}

/** In megabytes: what is resident, or was at most. */
function memoryOf(pid: number, which: "VmRSS" | "VmHWM"): number {
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
