import { deadline, sleep } from "@gatewright/ports";
import type { TransportResponse } from "../../transport/transport.ts";
import type { Program, ProgramPorts } from "../process/program.ts";
import type { Scenario } from "../scenario.ts";

type ConfigMap = { metadata: { name: string; uid: string; resourceVersion: string }; data?: Record<string, string> };

/** Bugs that a mirror may have. */
interface MirrorOptions {
  /** Writes every copy again each time: a bug. */
  readonly always?: boolean;
  /** Takes a failed read for an empty one: a bug. */
  readonly failedIsEmpty?: boolean;
  /** Never removes copies: a bug. */
  readonly keeps?: boolean;
  /** Throws away errors of the loop instead of handling them: a bug. */
  readonly fragile?: boolean;
}

class Refused extends Error {}

/** A small controller without a runtime: keeps a copy in `copies` of each ConfigMap in `originals`, and no other. */
export function mirror(options: MirrorOptions = {}): Program {
  return (ports) => ({
    async run(signal) {
      while (!signal.aborted) {
        try {
          const version = await round(ports, options, signal);
          await nextChange(ports, version, signal);
        } catch (error) {
          if (signal.aborted) return;
          if (options.fragile === true) throw error;
          ports.log.warn("a round failed", { error });
          await sleep(ports.clock, 1_000, signal).catch(() => undefined);
        }
      }
    },
  });
}

async function round(ports: ProgramPorts, options: MirrorOptions, signal: AbortSignal): Promise<string> {
  const originals = await list(ports, "originals", options, signal);
  const copies = await list(ports, "copies", options, signal);
  const byName = new Map(copies.items.map((copy) => [copy.metadata.name, copy]));
  for (const { metadata, data } of originals.items) {
    const copy = byName.get(metadata.name);
    byName.delete(metadata.name);
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: metadata.name }, data });
    if (copy === undefined) await send(ports, signal, "POST", "", body);
    else if (JSON.stringify(copy.data) === JSON.stringify(data) && options.always !== true) continue;
    else await send(ports, signal, "PUT", `/${metadata.name}`, body);
  }
  if (options.keeps !== true) for (const name of byName.keys()) await send(ports, signal, "DELETE", `/${name}`);
  return originals.resourceVersion;
}

/** All ConfigMaps that the user has made. */
export function listOriginals(ports: ProgramPorts, signal: AbortSignal): ReturnType<typeof list> {
  return list(ports, "originals", {}, signal);
}

async function list(
  { transport }: ProgramPorts,
  namespace: string,
  options: MirrorOptions,
  signal: AbortSignal,
): Promise<{ items: ConfigMap[]; resourceVersion: string }> {
  try {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const body = JSON.parse(await text(await transport({ method: "GET", path, signal }))) as {
      items: ConfigMap[];
      metadata: { resourceVersion: string };
    };
    const items = body.items.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
    return { items, resourceVersion: body.metadata.resourceVersion };
  } catch (error) {
    if (options.failedIsEmpty === true) return { items: [], resourceVersion: "0" };
    throw error;
  }
}

async function send(
  { transport }: ProgramPorts,
  signal: AbortSignal,
  method: string,
  name: string,
  body?: string,
): Promise<void> {
  const path = `/api/v1/namespaces/copies/configmaps${name}`;
  const headers = { "content-type": "application/json" };
  await text(await transport({ method, path, headers, signal, ...(body === undefined ? {} : { body }) }));
}

/** Until something changes, the stream ends or nothing was heard for a while. */
export async function nextChange(
  { transport, clock }: ProgramPorts,
  version: string,
  signal: AbortSignal,
): Promise<void> {
  using patience = deadline(clock, 20_000, signal);
  const path = `/api/v1/namespaces/originals/configmaps?watch=true&resourceVersion=${version}`;
  try {
    const { body } = await transport({ method: "GET", path, signal: patience.signal });
    for await (const _ of body) return;
  } catch (error) {
    if (!patience.signal.aborted) throw error;
  }
}

async function text(response: TransportResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const all = Buffer.concat(chunks).toString();
  if (response.status >= 300) throw new Refused(`${response.status} ${all}`);
  return all;
}

const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
export const original = (name: string, data: Record<string, string>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "originals" },
  data,
});
export const at = (name: string, namespace = "originals") =>
  ({ group: "", version: "v1", plural: "configmaps", namespaced: true, namespace, name }) as const;

/** Three ConfigMaps come, change and go, and a mirror follows. */
export function mirrorScenario(program: Program = mirror()): Scenario {
  return {
    name: "mirror",
    about: "copies of ConfigMaps are kept in another namespace",
    before: [namespace("originals"), namespace("copies")],
    steps: [
      { at: 1_000, create: original("a", { x: "1" }) },
      { at: 4_000, create: original("b", { x: "1" }) },
      { at: 8_000, patch: at("a"), with: { data: { x: "2" } } },
      { at: 12_000, delete: at("b") },
      { at: 16_000, create: original("c", { x: "1" }) },
    ],
    processes: [{ name: "mirror", program }],
  };
}
