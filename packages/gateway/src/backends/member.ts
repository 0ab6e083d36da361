import type { Upstream } from "../upstream/upstream.ts";
import type { Endpoint } from "./backend.ts";
import type { Balanced } from "./balancing/balancer.ts";
import type { Era } from "./circuit.ts";
import type { EndpointRecord } from "./endpoint-record.ts";
import type { HealthChecker } from "./health/health-checker.ts";

/** Told how requests to an endpoint went. `undefined`: no answer came. `era` is that of the backend's circuit. */
export type Ended = (member: Member, status: number | undefined, era: Era) => void;

/** One endpoint in one backend. */
export class Member implements Endpoint, Balanced {
  readonly address: string;
  readonly weight: number;
  readonly upstream: Upstream;
  readonly record: EndpointRecord;
  /** Undefined: nobody checks. */
  readonly checker: HealthChecker | undefined;
  readonly #ended: Ended;

  constructor(
    about: { readonly address: string; readonly weight: number },
    upstream: Upstream,
    record: EndpointRecord,
    checker: HealthChecker | undefined,
    ended: Ended,
  ) {
    this.address = about.address;
    this.weight = about.weight;
    this.upstream = upstream;
    this.record = record;
    this.checker = checker;
    this.#ended = ended;
  }

  get active(): number {
    return this.upstream.active;
  }

  get turn(): number {
    return this.record.turn;
  }

  set turn(turn: number) {
    this.record.turn = turn;
  }

  get healthy(): boolean {
    return this.checker === undefined || this.checker.healthy;
  }

  ended(status: number | undefined): void {
    this.#ended(this, status, undefined);
  }

  /** This endpoint for one request that tries whether a circuit may close. */
  asTry(era: Era): Endpoint {
    const { address, upstream } = this;
    return { address, upstream, ended: (status) => this.#ended(this, status, era) };
  }
}
