import { spawn } from "node:child_process";
import { join } from "node:path";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { Application } from "@gatewright/resources";
import { createClient, loadTransport } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { PartMissingError, upKube } from "../testbed/index.ts";
import type { Shape } from "./applications/crowd.ts";
import { clear, crowdReady, oneReady } from "./applications/crowd.ts";
import { print } from "./figure.ts";
import { median, pause } from "./load.ts";
import { makeBundle, processorMs, residentMb, serveWorld, withHome, withServer } from "./served.ts";

/*
 * Applications, small and larger ones, on the laptop and on a real control plane (kube-apiserver, durable etcd,
 * kube-controller-manager, a stand-in node whose pods are ready at once) with the same controller beside it.
 */
const COUNT = Number(process.env["BENCH_OBJECTS"] ?? 1000);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const CONTROLLER = join(import.meta.dirname, "applications", "controller.ts");

const SHAPES: readonly (readonly [Shape, string])[] = [
  ["plain", "an image alone"],
  ["full", "two pods, Service, config"],
];

interface Figures {
  readonly oneMs: number;
  readonly crowdMs: number;
}

type Measured = ReadonlyMap<Shape, Figures>;

async function measure(client: Client): Promise<Measured> {
  await oneReady(client, "warm", "full");
  await clear(client, "warm");
  const figures = new Map<Shape, Figures>();
  for (const [shape] of SHAPES) {
    const ones: number[] = [];
    const crowds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = 0; n < 5; n++) ones.push(await oneReady(client, `one-${shape}-${round}-${n}`, shape));
      const namespace = `crowd-${shape}-${round}`;
      crowds.push(await crowdReady(client, namespace, shape, COUNT));
      await clear(client, namespace);
    }
    figures.set(shape, { oneMs: median(ones), crowdMs: median(crowds) });
  }
  return figures;
}

async function connected<T>(kubeconfig: string, work: (client: Client) => Promise<T>): Promise<T> {
  const { transport } = await loadTransport({ kubeconfig });
  try {
    return await work(createClient(transport, { fieldManager: "bench" }));
  } finally {
    transport.close();
  }
}

async function onLaptop(): Promise<Measured> {
  makeBundle();
  return withHome((home) =>
    withServer(serveWorld(home), async (served) => {
      print("start until everything is served (ms)", served.startMs.toFixed(0));
      const figures = await connected(join(home, "kubeconfig"), measure);
      print("processor time of the laptop for all of it (ms)", processorMs(served).toFixed(0));
      print("resident afterwards (MB)", residentMb(served).toFixed(0));
      return figures;
    }),
  );
}

async function onKubernetes(): Promise<Measured> {
  await using kube = await upKube({ gatewayApi: false, durable: true, audit: false, progress: console.log });
  const env = { ...process.env, KUBECONFIG: kube.kubeconfig };
  return await connected(kube.kubeconfig, async (client) => {
    await client.for(apiextensions.CustomResourceDefinition).apply(crdOf(Application));
    await pause(1000);
    const controller = spawn(process.execPath, [CONTROLLER], { env, stdio: "inherit" });
    try {
      return await measure(client);
    } finally {
      controller.kill("SIGTERM");
    }
  });
}

const laptop = await onLaptop();
for (const [shape, name] of SHAPES) tell(name, laptop.get(shape));
try {
  const real = await onKubernetes();
  for (const [shape, name] of SHAPES) tell(`${name}: on Kubernetes`, real.get(shape), laptop.get(shape));
} catch (error) {
  if (!(error instanceof PartMissingError)) throw error;
  console.log(`the comparison with Kubernetes is left out: ${error.message}`);
}

function tell(what: string, figures?: Figures, ours?: Figures): void {
  if (figures === undefined) return;
  const shown = (figure: keyof Figures): string =>
    `${figures[figure].toFixed(0)}${ours ? `; laptop / Kubernetes ${(ours[figure] / figures[figure]).toFixed(2)}` : ""}`;
  print(`${what}, one from create to Ready (ms)`, shown("oneMs"));
  print(`${what}, ${COUNT} from the first create to all Ready (ms)`, shown("crowdMs"));
}
