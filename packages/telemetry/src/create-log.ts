import type { Clock } from "@gatewright/ports";
import type { Log, LogFields } from "./log.ts";
import { redact, redactText } from "./redact.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface LogOptions {
  /** Takes one line, with its end. Must not throw. */
  readonly write: (line: string) => void;
  readonly clock: Clock;
  /** The least that is told. Default: `info`. */
  readonly level?: LogLevel;
  /** `json` (the default): an object a line. `text`: for people. */
  readonly format?: "json" | "text";
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Logs lines. Secrets in fields and errors are hidden; whatever the fields hold, logging never throws. */
export function createLog(options: LogOptions): Log {
  const { write, clock, level = "info", format = "json" } = options;
  const least = LEVELS.indexOf(level);
  const render = format === "json" ? renderJson : renderText;

  const logWith = (own: LogFields): Log => {
    const tell =
      (at: LogLevel) =>
      (message: string, fields?: LogFields): void => {
        if (LEVELS.indexOf(at) < least) return;
        const time = new Date(clock.now()).toISOString();
        write(render(time, at, redactText(message), safely(own, fields)));
      };
    return {
      debug: tell("debug"),
      info: tell("info"),
      warn: tell("warn"),
      error: tell("error"),
      with: (fields) => logWith({ ...own, ...fields }),
    };
  };
  return logWith({});
}

/** Fields are what callers have at hand: getters may throw, proxies may be revoked. */
function safely(own: LogFields, fields: LogFields | undefined): Record<string, unknown> {
  try {
    return redact({ ...own, ...fields }) as Record<string, unknown>;
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : "fields could not be read" };
  }
}

function renderJson(time: string, level: LogLevel, message: string, fields: Record<string, unknown>): string {
  return `${JSON.stringify({ time, level, message, ...withoutOwn(fields) })}\n`;
}

/** Fields never stand in for what every line has. */
function withoutOwn(fields: Record<string, unknown>): Record<string, unknown> {
  const { time, level, message, ...rest } = fields;
  const moved = { ...(time !== undefined && { time_: time }), ...(level !== undefined && { level_: level }) };
  return { ...rest, ...moved, ...(message !== undefined && { message_: message }) };
}

function renderText(time: string, level: LogLevel, message: string, fields: Record<string, unknown>): string {
  const told = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}=${typeof value === "string" && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)}`,
    );
  return `${time} ${level.toUpperCase().padEnd(5)} ${message}${told.join("")}\n`;
}
