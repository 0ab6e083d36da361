/** Facts of a log line. Never a secret, never a whole object. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured logs: a constant message and its fields. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log whose lines all have these fields. */
  with(fields: LogFields): Log;
}

/** Says nothing. */
export const quietLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => quietLog,
};
