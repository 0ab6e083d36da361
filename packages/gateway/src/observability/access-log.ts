import type { Clock, Random } from "@gatewright/ports";
import type { CallRecord } from "../pipeline/observer.ts";

export interface AccessLogOptions {
  /** Takes whole lines, several at once. */
  readonly write: (lines: string) => void;
  readonly clock: Clock;
  readonly random: Random;
  /** The share of requests that is written; what failed here is always. */
  readonly sampleRate: number;
  /** Fields of requests that are written too, lower-case. Those that hold credentials are not, whatever is asked. */
  readonly headers: readonly string[];
}

const CREDENTIALS: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization", "x-api-key"]);
/** How long lines are gathered before they are written. */
const GATHER_MS = 50;
const FULL = 64 * 1024;

/** Lines about requests, a JSON object each. They are written in batches; `flush` writes what is left. */
export class AccessLog {
  readonly #options: AccessLogOptions;
  readonly #headers: readonly string[];
  #lines = "";
  #timer: (() => void) | undefined;

  constructor(options: AccessLogOptions) {
    this.#options = options;
    this.#headers = options.headers.filter((name) => !CREDENTIALS.has(name));
  }

  tell(record: CallRecord): void {
    const { sampleRate, clock } = this.#options;
    const failed = record.status >= 500 || record.failure !== undefined;
    if (!failed && sampleRate < 1 && this.#drawn() >= sampleRate) return;
    this.#lines += `${JSON.stringify(this.#line(record))}\n`;
    if (this.#lines.length > FULL) this.flush();
    else this.#timer ??= clock.timer(GATHER_MS, () => this.flush());
  }

  flush(): void {
    this.#timer?.();
    this.#timer = undefined;
    if (this.#lines === "") return;
    const lines = this.#lines;
    this.#lines = "";
    this.#options.write(lines);
  }

  #line({ exchange, call, status, origin, sentBytes, failure, tookMs }: CallRecord): object {
    const { head, client, listener } = exchange;
    const cut = head.target.indexOf("?");
    const fields = this.#headers.flatMap((name) => {
      const value = head.fields.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      time: new Date(this.#options.clock.now()).toISOString(),
      method: head.method,
      host: head.authority,
      // The query may hold keys and tokens.
      path: cut === -1 ? head.target : head.target.slice(0, cut),
      protocol: head.version === "2" ? "HTTP/2" : `HTTP/${head.version}`,
      status,
      origin,
      bytes: sentBytes,
      durationMs: Math.round(tookMs * 1000) / 1000,
      client: call?.clientAddress ?? client.address,
      listener,
      route: call?.route.id,
      backend: call?.trail.backend === "" ? undefined : call?.trail.backend,
      endpoint: call?.trail.endpoint === "" ? undefined : call?.trail.endpoint,
      attempts: call === undefined || call.trail.attempts < 2 ? undefined : call.trail.attempts,
      subject: call?.identity?.subject,
      failure,
      ...(fields.length > 0 && { headers: Object.fromEntries(fields) }),
    };
  }

  #drawn(): number {
    const [high = 0, low = 0] = this.#options.random.bytes(2);
    return (high * 256 + low) / 65_536;
  }
}
