import type { Clock } from "@gatewright/ports";
import { AwsCallError, isAbsent } from "../aws-call-error.ts";
import type { Route53Calls } from "../services/route53.ts";
import { Alarm } from "./alarm.ts";
import type { Order } from "./order.ts";

/** How changes are followed until all name servers have them. */
export interface SyncSettings {
  /** The first pause, unless changes are known to take longer; each that follows is half as long again. */
  readonly pollMs: number;
  readonly pollMostMs: number;
  /** How long Route 53 takes at most by its own word; for changes whose id is not known. */
  readonly settleMs: number;
}

/** Whom a poller tells. */
export interface SyncTells {
  inSync(orders: readonly Order[]): void;
  failed(zoneId: string, error: unknown): void;
}

interface Followed {
  readonly zoneId: string;
  /** Empty: not known. */
  readonly changeId: string;
  readonly orders: readonly Order[];
  /** Nobody waits for any of its orders. */
  readonly patient: boolean;
  readonly since: number;
  readonly pauseMs: number;
  readonly at: number;
  /** How old it was when it was last seen not to be in sync. */
  readonly pendingMs: number;
}

/** How much of the time that the last change was seen to need the next one is given before the first question. */
const EXPECTED = 0.9;
/** A change that is older than this holds back questions about those after it no more. */
const OLD_MS = 90_000;

/**
 * Asks for changes until they are in sync: one question for a whole batch. Of a zone the oldest change is asked for first; those after
 * it are hardly in sync before it. How long changes take right now is learned from the last one: questions before that are wasted.
 */
export class SyncPoller {
  readonly #clock: Clock;
  readonly #calls: Route53Calls;
  readonly #settings: SyncSettings;
  readonly #tells: SyncTells;
  readonly #alarm: Alarm;
  #followed: readonly Followed[] = [];
  /** The age at which the change that came in sync last was not yet. */
  #notBeforeMs = 0;

  constructor(
    parts: { readonly clock: Clock; readonly calls: Route53Calls; readonly settings: SyncSettings },
    tells: SyncTells,
  ) {
    this.#clock = parts.clock;
    this.#calls = parts.calls;
    this.#settings = parts.settings;
    this.#tells = tells;
    this.#alarm = new Alarm(parts.clock);
  }

  /** Follows a change. Without an id, it counts as in sync when Route 53 has had the time for it. */
  follow(zoneId: string, changeId: string, orders: readonly Order[]): void {
    const now = this.#clock.monotonic();
    const { pollMs, settleMs } = this.#settings;
    const patient = orders.every((order) => order.patient);
    const at = now + (patient || changeId === "" ? settleMs : Math.max(pollMs, EXPECTED * this.#notBeforeMs));
    const followed = { zoneId, changeId, orders, patient, since: now, pauseMs: pollMs, at, pendingMs: 0 };
    this.#followed = [...this.#followed, followed];
    this.#alarm.ring();
  }

  forgetAll(): void {
    this.#followed = [];
  }

  /** Polls until the signal aborts, and rejects with its reason. */
  async work(signal: AbortSignal): Promise<never> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.#clock.monotonic();
      const due = this.#followed.find(({ at }) => at <= now);
      if (due) await this.#ask(due, signal);
      else await this.#alarm.wait(Math.min(Infinity, ...this.#followed.map(({ at }) => at)) - now, signal);
    }
  }

  async #ask(due: Followed, signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonic();
    const older = this.#followed.find(
      ({ zoneId, changeId, patient, since }) =>
        zoneId === due.zoneId && changeId !== "" && !patient && now - since < OLD_MS,
    );
    if (older !== undefined && older !== due && older.at > now && due.changeId !== "") {
      this.#put(due, { ...due, at: older.at });
      return;
    }
    const expectedAt = due.since + EXPECTED * this.#notBeforeMs;
    if (due.changeId !== "" && due.pendingMs === 0 && now < expectedAt) {
      this.#put(due, { ...due, at: expectedAt });
      return;
    }
    if (due.changeId === "" || (await this.#isInSync(due, signal))) {
      if (due.changeId !== "") this.#learn(due, now);
      this.#followed = this.#followed.filter((each) => each !== due);
      this.#tells.inSync(due.orders);
      return;
    }
    const { pollMostMs } = this.#settings;
    const pauseMs = Math.min(1.5 * due.pauseMs, pollMostMs);
    this.#put(due, { ...due, pauseMs, at: this.#clock.monotonic() + pauseMs, pendingMs: now - due.since });
  }

  /** One that was in sync at the first question may have been so long before; unless it was only asked for late. */
  #learn({ since, pendingMs }: Followed, now: number): void {
    if (pendingMs > 0) this.#notBeforeMs = pendingMs;
    else if (now - since <= this.#notBeforeMs) this.#notBeforeMs /= 2;
  }

  async #isInSync({ zoneId, changeId, since }: Followed, signal: AbortSignal): Promise<boolean> {
    try {
      const { ChangeInfo } = await this.#calls.getChange({ Id: changeId.replace(/^\/change\//, "") }, { signal });
      return ChangeInfo.Status === "INSYNC";
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AwsCallError)) throw error;
      // Route 53 forgets changes in the end.
      if (isAbsent(error)) return this.#clock.monotonic() - since >= this.#settings.settleMs;
      this.#tells.failed(zoneId, error);
      return false;
    }
  }

  #put(old: Followed, next: Followed): void {
    this.#followed = this.#followed.map((each) => (each === old ? next : each));
  }
}
