/** Why a listener does not listen, or no longer as its settings say. */
export type ListenerFailure = "port_taken" | "not_permitted" | "no_such_address" | "bind" | "settings" | "certificate";

/** A listener that cannot do what its settings say. The others go on. */
export class ListenerError extends Error {
  override readonly name = "ListenerError";
  readonly code: ListenerFailure;
  readonly listener: string;
  /** Whether trying again without a change of the settings can help. */
  readonly isRetryable: boolean;
  /** What a person can do. */
  readonly advice: string;

  constructor(code: ListenerFailure, listener: string, what: string, advice: string) {
    super(`listener ${listener}: ${what}: ${advice}`);
    this.code = code;
    this.listener = listener;
    this.isRetryable = code !== "settings";
    this.advice = advice;
  }
}

/** What the system says about a port that cannot be bound, for people. */
export function bindError(
  listener: string,
  address: string,
  port: number,
  error: NodeJS.ErrnoException,
): ListenerError {
  const where = `${address}:${port}`;
  switch (error.code) {
    case "EADDRINUSE":
      return new ListenerError(
        "port_taken",
        listener,
        `port ${port} is taken`,
        `stop the program that listens on ${where}, or give the listener another port`,
      );
    case "EACCES":
      return new ListenerError(
        "not_permitted",
        listener,
        `port ${port} may not be bound`,
        `use a port from 1024 on, or allow the process to bind lower ones (CAP_NET_BIND_SERVICE)`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new ListenerError(
        "no_such_address",
        listener,
        `${address} is not an address of this machine`,
        `bind one that is (port ${port}), or none to listen on all`,
      );
    case "EMFILE":
    case "ENFILE":
      return new ListenerError(
        "bind",
        listener,
        `connections to port ${port} cannot be accepted`,
        "there are as many open files as there may be: raise the limit, or maxConnections is too high for it",
      );
    default:
      return new ListenerError("bind", listener, `${where} cannot be bound`, error.message);
  }
}
