import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { callLoad } from "./grpc-load.ts";
import { processorMs, residentMb } from "../served.ts";
import type { Proxy } from "./proxies.ts";
import type { Scenario } from "./scenario.ts";
import { CORES, saidBy, startOn } from "./tools.ts";

/** How a proxy did for some seconds under all the load that it takes. */
export interface FullLoad {
  readonly perSecond: number;
  /** Microseconds of its processor time for a request. */
  readonly microseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMb: number;
  readonly errors: number;
}

/** How long requests took that came at a steady pace. */
export interface SteadyLoad {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** As many requests as it takes, by wrk on 32 kept connections, or by h2load. */
export async function fullLoad(
  proxy: Proxy,
  { tls, grpc, allCores }: Scenario,
  script: string,
  seconds: number,
): Promise<FullLoad> {
  const served = { url: "", startMs: 0, headers: {}, processes: [{ pid: proxy.pid }] };
  const before = processorMs(served);
  if (grpc) {
    const { requests, ...load } = await callLoad(proxy, dirname(script), seconds);
    const microseconds = ((processorMs(served) - before) * 1000) / requests;
    return { ...load, microseconds, residentMb: residentMb(served) };
  }
  const url = `${tls ? "https" : "http"}://127.0.0.1:${proxy.port}/`;
  const args = [`-t${allCores ? availableParallelism() : 1}`, "-c32", `-d${seconds}s`, "--latency", "-s", script, url];
  const text = await saidBy(startOn(allCores ? undefined : CORES.around, "wrk", args));
  const used = processorMs(served) - before;
  const requests = Number(/(\d+) requests in/.exec(text)?.[1]);
  // What took longer than wrk waits is no error: p99 tells of it.
  const [, ...socketErrors] = /Socket errors: connect (\d+), read (\d+), write (\d+)/.exec(text) ?? [];
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    microseconds: (used * 1000) / requests,
    p50Ms: milliseconds(/50%\s+([\d.]+)(us|ms|s)/.exec(text)),
    p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(text)),
    residentMb: residentMb(served),
    errors: [/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0, ...socketErrors].reduce<number>(
      (sum, each) => sum + Number(each),
      0,
    ),
  };
}

/** Requests at a pace, whatever becomes of those before: how long they took from when they were due. */
export async function steadyLoad(
  proxy: Proxy,
  { tls }: Scenario,
  perSecond: number,
  seconds: number,
): Promise<SteadyLoad> {
  const file = join(import.meta.dirname, "steady-client.ts");
  const args = [file, String(proxy.port), String(perSecond), String(seconds), tls ? "tls" : "plain"];
  const child = startOn(CORES.around, process.execPath, args);
  return JSON.parse(await saidBy(child)) as SteadyLoad;
}

function milliseconds(found: RegExpExecArray | null): number {
  const factor = found?.[2] === "us" ? 0.001 : found?.[2] === "s" ? 1000 : 1;
  return Number(found?.[1]) * factor;
}
