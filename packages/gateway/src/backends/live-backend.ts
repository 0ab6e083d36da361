import type { Clock } from "@gatewright/ports";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import type { Backend, BackendState, Endpoint, NoEndpoint } from "./backend.ts";
import type { Balancer } from "./balancing/balancer.ts";
import type { Era, LiveCircuit } from "./circuit.ts";
import type { Member } from "./member.ts";
import { afterAnswer, ejected, mayEject, successRateOutliers } from "./outlier-ejection.ts";
import type { EjectionSettings } from "./outlier-ejection.ts";

/** What a backend is made of. */
export interface BackendParts {
  readonly id: string;
  readonly clock: Clock;
  readonly balancer: Balancer;
  /** Undefined: never opens. */
  readonly circuit: LiveCircuit | undefined;
  /** Undefined: no endpoint is left out for its answers. */
  readonly ejection: EjectionSettings | undefined;
  /** When rates of success are compared next. Outlives edits. */
  readonly rounds: { next: number };
  /** Whether the backend's own limit lets a call through. */
  readonly admits: ((call: Call) => boolean) | undefined;
  /** Endpoints that may not be dialled, however healthy. */
  readonly refused: number;
  readonly filters: readonly Filter[];
}

/** The status that says that a client went before its answer came: neither for nor against an endpoint. */
const CLIENT_GONE = 499;

const NO_HEALTHY: NoEndpoint = {
  refused: "no_healthy_endpoint",
  status: 503,
  message: "no healthy endpoint",
};
const NOT_ALLOWED: NoEndpoint = {
  refused: "not_allowed",
  status: 502,
  message: "the gateway's settings do not allow this destination",
};
const CIRCUIT_OPEN: NoEndpoint = { refused: "circuit_open", status: 503, message: "the backend keeps failing" };
const TOO_MANY: NoEndpoint = {
  refused: "too_many_requests",
  status: 429,
  message: "too many requests for this backend",
};

/**
 * A backend at work. Requests go to endpoints that checks find healthy and that were not left out for their answers. When all are
 * unhealthy there is no panic mode: the answer is 503, as what checks say is believed. When all that are healthy were left out for
 * their answers, they are used all the same: that judgement is only a comparison.
 */
export class LiveBackend implements Backend {
  readonly id: string;
  readonly authority = undefined;
  readonly filters: readonly Filter[];
  readonly #parts: BackendParts;
  #members: readonly Member[] = [];

  constructor(parts: BackendParts) {
    this.id = parts.id;
    this.filters = parts.filters;
    this.#parts = parts;
  }

  /** Gives it its endpoints. Once. */
  have(members: readonly Member[]): void {
    this.#members = members;
  }

  pick(call: Call, tried: ReadonlySet<Endpoint>): Endpoint | NoEndpoint {
    const { balancer, circuit, admits, refused } = this.#parts;
    const among = this.#available(tried);
    if (among.length === 0) return refused > 0 && this.#members.length === 0 ? NOT_ALLOWED : NO_HEALTHY;
    if (tried.size === 0 && admits !== undefined && !admits(call)) return TOO_MANY;
    if (circuit === undefined) return balancer.choose(among, call);
    const pass = circuit.ask();
    if (pass === "no") return CIRCUIT_OPEN;
    const member = balancer.choose(among, call);
    return pass.era === undefined ? member : member.asTry(pass.era);
  }

  describe(): BackendState {
    const now = this.#parts.clock.monotonic();
    return {
      id: this.id,
      circuit: this.#parts.circuit?.at ?? "none",
      endpoints: this.#members.map(({ address, healthy, record, upstream: { active, connections } }) => ({
        address,
        healthy,
        ejected: record.ejectedAt(now),
        active,
        connections,
      })),
    };
  }

  /** How a request to one of its members went. */
  readonly ended = (member: Member, status: number | undefined, era: Era): void => {
    const { circuit, ejection } = this.#parts;
    if (status === CLIENT_GONE) {
      circuit?.abandoned(era);
      return;
    }
    const ok = status !== undefined && status < 500;
    circuit?.ended(ok, era);
    if (ejection !== undefined) this.#judge(member, ok, ejection);
  };

  #available(tried: ReadonlySet<Endpoint>): readonly Member[] {
    const members = this.#members;
    const [only] = members;
    if (members.length === 1 && only !== undefined) return only.healthy ? members : [];
    const healthy = members.every(isHealthy) ? members : members.filter(isHealthy);
    const { ejection, clock } = this.#parts;
    let available = healthy;
    if (ejection !== undefined && healthy.some(({ record }) => record.standing.until !== 0)) {
      const now = clock.monotonic();
      const kept = healthy.filter(({ record }) => !record.ejectedAt(now));
      if (kept.length > 0) available = kept;
    }
    if (tried.size === 0) return available;
    const addresses = new Set<string>();
    for (const { address } of tried) addresses.add(address);
    const fresh = available.filter(({ address }) => !addresses.has(address));
    return fresh.length > 0 ? fresh : available;
  }

  #judge(member: Member, ok: boolean, settings: EjectionSettings): void {
    const { record } = member;
    record.asked++;
    if (ok) record.succeeded++;
    const { standing, tooMany } = afterAnswer(record.standing, ok, settings);
    record.standing = standing;
    const now = this.#parts.clock.monotonic();
    if (tooMany) this.#eject(member, now, settings);
    if (now >= this.#parts.rounds.next) this.#compare(now, settings);
  }

  /** Compares the rates of success since the last time. */
  #compare(now: number, settings: EjectionSettings): void {
    const first = this.#parts.rounds.next === 0;
    this.#parts.rounds.next = now + settings.intervalMs;
    if (first) return;
    const members = this.#members;
    const outliers = successRateOutliers(
      members.map(({ record }) => record),
      settings,
    );
    for (const { record } of members) {
      record.asked = 0;
      record.succeeded = 0;
    }
    for (const index of outliers) this.#eject(members[index]!, now, settings);
  }

  #eject(member: Member, now: number, settings: EjectionSettings): void {
    if (member.record.ejectedAt(now)) return;
    const out = this.#members.filter(({ record }) => record.ejectedAt(now)).length;
    const available = this.#members.filter(({ record, healthy }) => healthy && !record.ejectedAt(now)).length;
    if (!mayEject(this.#members.length, out, available, settings)) return;
    member.record.standing = ejected(member.record.standing, now, settings);
  }
}

const isHealthy = ({ healthy }: Member): boolean => healthy;
