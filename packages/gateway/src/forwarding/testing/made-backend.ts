import type { Backend, Endpoint, NoEndpoint } from "../../backends/backend.ts";
import { MadeUpstreams } from "../../backends/testing/made-upstream.ts";

/** A backend of a test, with endpoints that take turns, and everything that was said about them. */
export class MadeBackend implements Backend {
  readonly id: string;
  readonly authority: string | undefined = undefined;
  readonly upstreams = new MadeUpstreams();
  /** How often each pick was told how it went, in the order of picks. */
  readonly told: { address: string; statuses: (number | undefined)[] }[] = [];
  refusal: NoEndpoint | undefined;
  readonly #hosts: readonly string[];
  #turn = 0;

  constructor(id = "Backend default/hello", hosts: readonly string[] = ["a", "b"]) {
    this.id = id;
    this.#hosts = hosts;
  }

  pick(_call: unknown, tried: ReadonlySet<Endpoint>): Endpoint | NoEndpoint {
    if (this.refusal !== undefined) return this.refusal;
    const known = new Set([...tried].map(({ address }) => address));
    const fresh = this.#hosts.filter((host) => !known.has(`${host}:80`));
    const among = fresh.length > 0 ? fresh : this.#hosts;
    const host = among[this.#turn++ % among.length]!;
    const told: { address: string; statuses: (number | undefined)[] } = { address: `${host}:80`, statuses: [] };
    this.told.push(told);
    const none = { maxConnections: undefined, maxIdle: undefined, idleMs: undefined, maxPending: undefined };
    return {
      address: told.address,
      upstream: this.upstreams.connect({
        host,
        port: 80,
        protocol: "http1",
        tls: undefined,
        lookup: undefined,
        pool: none,
      }),
      ended: (status) => void told.statuses.push(status),
    };
  }

  describe() {
    return { id: this.id, circuit: "none" as const, endpoints: [] };
  }
}
