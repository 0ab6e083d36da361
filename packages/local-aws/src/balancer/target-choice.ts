import type { Clock, Random } from "@gatewright/ports";
import type { TargetHealthSource } from "../elbv2/ground.ts";
import type { TargetGroupRecord, TargetRecord } from "../elbv2/records.ts";
import type { ElbStore } from "../elbv2/store.ts";
import { groupAttribute } from "../elbv2/target-group-attributes.ts";
import type { Header } from "./message.ts";
import { below, cookieValues, isTokenOf, stickyToken, targetSubject } from "./pick-target.ts";

export interface TargetChoiceOptions {
  readonly store: ElbStore;
  readonly health: TargetHealthSource;
  readonly clock: Clock;
  readonly random: Random;
}

/** A target that was chosen, and the cookies that bring the client back to it. */
export interface ChosenTarget {
  readonly target: TargetRecord;
  readonly cookies: readonly Header[];
  /** To be called once the request is over. */
  done(): void;
}

/** Chooses targets of groups by their algorithm; remembers whose turn it is and who is busy. */
export class TargetChoice {
  readonly #options: TargetChoiceOptions;
  readonly #turns = new Map<string, number>();
  readonly #busy = new Map<string, number>();

  constructor(options: TargetChoiceOptions) {
    this.#options = options;
  }

  /** Undefined when the group has no targets. When too few are healthy, all count as healthy: better a chance than none. */
  choose(group: TargetGroupRecord, requestHeaders: readonly Header[]): ChosenTarget | undefined {
    const { store, health, clock } = this.#options;
    const registered = store.targetsOf(group.arn).filter(({ drainedAt }) => drainedAt === undefined);
    const fit = registered.filter((target) => health.healthOf(group, target)?.state === "healthy");
    const candidates = enough(group, fit.length, registered.length) ? fit : registered;
    const sticky =
      groupAttribute(group, "stickiness.enabled") === "true" &&
      groupAttribute(group, "stickiness.type") === "lb_cookie";
    const seconds = Number(groupAttribute(group, "stickiness.lb_cookie.duration_seconds"));
    const tokens = sticky ? cookieValues(requestHeaders, "AWSALB") : [];
    const now = clock.now();
    const bound = candidates.find((one) => tokens.some((token) => isTokenOf(token, targetSubject(one), now, seconds)));
    const target = bound ?? this.#next(group, candidates);
    if (target === undefined) return undefined;
    return {
      target,
      cookies: sticky ? stickyCookies("AWSALB", targetSubject(target), now, WEEK_SECONDS) : [],
      done: this.#begin(targetSubject(target)),
    };
  }

  #begin(subject: string): () => void {
    this.#busy.set(subject, (this.#busy.get(subject) ?? 0) + 1);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      const left = (this.#busy.get(subject) ?? 1) - 1;
      if (left === 0) this.#busy.delete(subject);
      else this.#busy.set(subject, left);
    };
  }

  #next(group: TargetGroupRecord, candidates: readonly TargetRecord[]): TargetRecord | undefined {
    const algorithm = groupAttribute(group, "load_balancing.algorithm.type");
    if (algorithm === "weighted_random") return candidates[below(candidates.length, this.#options.random)];
    const turn = this.#turns.get(group.arn) ?? 0;
    this.#turns.set(group.arn, (turn + 1) % Number.MAX_SAFE_INTEGER);
    if (algorithm !== "least_outstanding_requests") return candidates[turn % Math.max(1, candidates.length)];
    const load = (target: TargetRecord): number => this.#busy.get(targetSubject(target)) ?? 0;
    const least = Math.min(...candidates.map(load));
    const idle = candidates.filter((target) => load(target) === least);
    return idle[turn % Math.max(1, idle.length)];
  }
}

/** Browsers keep the cookie for a week; how long it binds is the group's decision. */
const WEEK_SECONDS = 604_800;

/** The cookie, and its twin for requests from other sites. */
export function stickyCookies(
  name: "AWSALB" | "AWSALBTG",
  subject: string,
  now: number,
  seconds: number,
): readonly Header[] {
  const value = `${stickyToken(subject, now)}; Expires=${new Date(now + seconds * 1000).toUTCString()}; Path=/`;
  return [
    ["Set-Cookie", `${name}=${value}`],
    ["Set-Cookie", `${name}CORS=${value}; SameSite=None; Secure`],
  ];
}

function enough(group: TargetGroupRecord, healthy: number, all: number): boolean {
  const prefix = "target_group_health.unhealthy_state_routing.minimum_healthy_targets";
  const percentage = groupAttribute(group, `${prefix}.percentage`);
  if (percentage !== "off" && percentage !== "" && healthy * 100 < Number(percentage) * all) return false;
  return healthy >= Math.max(1, Number(groupAttribute(group, `${prefix}.count`)));
}
