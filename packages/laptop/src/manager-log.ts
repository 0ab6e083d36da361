import type { ServerLog } from "@gatewright/apiserver";
import type { Log, LogFields } from "@gatewright/runtime";

/** The controllers' log, told where the server tells its own. What only helps to debug is left out. */
export function managerLog(tell: ServerLog, always: LogFields = {}): Log {
  const at =
    (level: "info" | "warn" | "error") =>
    (message: string, fields: LogFields = {}): void =>
      tell(level, message, { ...always, ...fields });
  return {
    debug() {},
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => managerLog(tell, { ...always, ...fields }),
  };
}
