import type { Clock } from "@gatewright/ports";
import type { Claim } from "../feed/conflicts/claim.ts";
import { collide } from "../feed/conflicts/claim.ts";
import type { Rival } from "../feed/conflicts/conflicts.ts";
import type { SourceKey } from "../model/deliverable.ts";

/** Until an object that was let through is seen, or was not stored after all. */
const LASTING_MS = 5000;

interface Reservation {
  readonly id: SourceKey;
  readonly claims: readonly Claim[];
  readonly until: number;
}

/** What objects want that were let through a moment ago and are not seen yet: two that come at once are not both let through. */
export class Reservations {
  readonly #clock: Clock;
  readonly #byId = new Map<SourceKey, Reservation>();
  readonly #byKey = new Map<string, Set<Reservation>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Somebody else who is about to have one of these. */
  rival(claims: readonly Claim[], except: SourceKey): Rival | undefined {
    this.#expire();
    for (const claim of claims) {
      for (const { id, claims: theirs } of this.#byKey.get(claim.key) ?? []) {
        const other = theirs.find(({ key }) => key === claim.key);
        if (id !== except && other !== undefined && collide(claim, other)) return { id, claim };
      }
    }
    return undefined;
  }

  reserve(id: SourceKey, claims: readonly Claim[]): void {
    this.drop(id);
    const reservation: Reservation = { id, claims, until: this.#clock.monotonic() + LASTING_MS };
    this.#byId.set(id, reservation);
    for (const { key } of claims) {
      const others = this.#byKey.get(key);
      if (others === undefined) this.#byKey.set(key, new Set([reservation]));
      else others.add(reservation);
    }
  }

  /** It is seen. */
  drop(id: SourceKey): void {
    const reservation = this.#byId.get(id);
    if (reservation === undefined) return;
    this.#byId.delete(id);
    for (const { key } of reservation.claims) {
      const others = this.#byKey.get(key);
      others?.delete(reservation);
      if (others?.size === 0) this.#byKey.delete(key);
    }
  }

  /** They stand in the order in which they end. */
  #expire(): void {
    const now = this.#clock.monotonic();
    for (const { id, until } of this.#byId.values()) {
      if (until > now) return;
      this.drop(id);
    }
  }
}
