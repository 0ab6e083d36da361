import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CommandContext } from "./run.ts";

const SOURCES = {
  "lease-worker": "packages/runtime/src/lease/lease-worker.ts",
  "gateway-worker": "packages/gateway/src/workers/worker-main.ts",
} as const;

/** Where a thread of the command starts: the command may be one file, and threads are not in it. */
export function threadFile({ root, threads }: CommandContext, name: keyof typeof SOURCES): URL {
  return pathToFileURL(threads === undefined ? join(root, SOURCES[name]) : join(threads, `${name}.cjs`));
}
