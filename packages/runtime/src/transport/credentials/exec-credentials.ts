import { deadline } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { TransportError } from "../transport-error.ts";
import type { ExecPlugin } from "../transport-config.ts";
import { sameCredentials } from "./credential-source.ts";
import type { Credentials, CredentialSource } from "./credential-source.ts";
import { execInfo, parseExecCredential } from "./exec-credential.ts";
import type { RunProgram } from "./run-program.ts";

export interface ExecOptions {
  readonly clock: Clock;
  readonly run: RunProgram;
  /** Whether there is a user at a terminal to ask. */
  readonly terminal: boolean;
  /** The environment that the plugin gets, besides what its configuration adds. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** People may have to log in, with a browser. */
const TIMEOUT_MS = 5 * 60_000;
/** Credentials that are about to expire are replaced before a request carries them. */
const EARLY_MS = 10_000;

interface Held {
  readonly credentials: Credentials;
  readonly expiresAt: number | undefined;
}

/**
 * Credentials that a program prints. It runs once for all who ask at the same time, and again when they expire or the server refuses
 * them.
 */
export class ExecCredentials implements CredentialSource {
  readonly #plugin: ExecPlugin;
  readonly #options: ExecOptions;
  #held: Held | undefined;
  #running: Promise<Held> | undefined;

  constructor(plugin: ExecPlugin, options: ExecOptions) {
    this.#plugin = plugin;
    this.#options = options;
  }

  async current(signal?: AbortSignal): Promise<Credentials> {
    signal?.throwIfAborted();
    const held = this.#held;
    const isFresh = held?.expiresAt === undefined || held.expiresAt - EARLY_MS > this.#options.clock.now();
    if (held !== undefined && isFresh) return held.credentials;
    this.#running ??= this.#renew().finally(() => (this.#running = undefined));
    const { credentials } = await unlessAborted(this.#running, signal);
    return credentials;
  }

  refused(credentials: Credentials): void {
    if (this.#held !== undefined && sameCredentials(this.#held.credentials, credentials)) this.#held = undefined;
  }

  async #renew(): Promise<Held> {
    const plugin = this.#plugin;
    const { clock, env, run, terminal } = this.#options;
    const interactive = plugin.interactiveMode !== "Never" && terminal;
    if (plugin.interactiveMode === "Always" && !terminal)
      throw failure(plugin, "it must ask, and there is no terminal");
    const added = plugin.env.map(({ name, value }) => [name, value]);
    const whole = { ...env, ...Object.fromEntries(added), KUBERNETES_EXEC_INFO: execInfo(plugin, interactive) };
    using limit = deadline(clock, TIMEOUT_MS);
    try {
      const program = { command: plugin.command, args: plugin.args, env: whole, interactive };
      this.#held = parseExecCredential(plugin, await run(program, limit.signal));
      return this.#held;
    } catch (error) {
      const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
      const hint = isAbsent && plugin.installHint !== undefined ? `\n\n${plugin.installHint}` : "";
      const why = isAbsent ? "it is not installed" : (error as Error).message;
      throw failure(plugin, `${why}${hint}`, error);
    }
  }
}

function failure(plugin: ExecPlugin, why: string, cause?: unknown): TransportError {
  const message = `the credential plugin ${plugin.command} gave no credentials: ${why}`;
  return new TransportError("credentials", message, { cause });
}

/** Leaves a shared result alone when one of those who wait for it gives up. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
