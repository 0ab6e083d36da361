import type { ServerLog } from "@gatewright/apiserver";
import { systemClock } from "@gatewright/ports";

/** One line of JSON on stderr for each thing worth telling. */
export const logLine: ServerLog = (level, message, fields) => {
  const told = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(value)]));
  const time = new Date(systemClock.now()).toISOString();
  process.stderr.write(`${JSON.stringify({ time, level, message, ...told })}\n`);
};

const LEVELS = ["info", "warn", "error"] as const;

/** The same for what matters at least so much; undefined for a word that is no level. */
export function logLinesFrom(least: string): ServerLog | undefined {
  const from = LEVELS.findIndex((level) => level === least);
  if (from < 0) return undefined;
  return (level, message, fields) => {
    if (LEVELS.indexOf(level) >= from) logLine(level, message, fields);
  };
}

function shown(value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
