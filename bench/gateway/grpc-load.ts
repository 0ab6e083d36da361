import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Proxy } from "./proxies.ts";
import { CALL, grpcMessage } from "./scenario.ts";
import { CORES, saidBy, startOn } from "./tools.ts";

/** What h2load measured. */
interface CallLoad {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
}

/** As many calls as it takes, by h2load on 8 connections with 8 calls at a time each. */
export async function callLoad(proxy: Proxy, folder: string, seconds: number): Promise<CallLoad> {
  const [message, log] = [join(folder, "call.bin"), join(folder, "calls.log")];
  writeFileSync(message, grpcMessage());
  rmSync(log, { force: true });
  const args = ["-c8", "-m8", "-t1", `-D${seconds}`, "-d", message, `--log-file=${log}`];
  const headers = ["-H", "content-type: application/grpc", "-H", "te: trailers"];
  const text = await saidBy(
    startOn(CORES.around, "h2load", [...args, ...headers, `http://127.0.0.1:${proxy.port}${CALL}`]),
  );
  const [, done = 0, succeeded = 0] = /(\d+) done, (\d+) succeeded/.exec(text) ?? [];
  const messages = Number(/\((\d+)\) data/.exec(text)?.[1]) / grpcMessage().length;
  const took = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => Number(line.split("\t")[2]) / 1000);
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? Number.NaN;
  return {
    requests: Number(done),
    perSecond: Number(/([\d.]+) req\/s/.exec(text)?.[1]),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    // The status of HTTP says little about calls; one that fails has no message.
    errors: Number(done) - Number(succeeded) + Math.max(0, Number(done) - messages),
  };
}
