import type { ServerLog } from "@gatewright/apiserver";
import { systemClock } from "@gatewright/ports";

/** One line of JSON on stderr for each thing worth telling. */
export const logLine: ServerLog = (level, message, fields) => {
  const told = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(value)]));
  const time = new Date(systemClock.now()).toISOString();
  process.stderr.write(`${JSON.stringify({ time, level, message, ...told })}\n`);
};

function shown(value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
