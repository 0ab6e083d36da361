import type { Clock } from "@gatewright/ports";
import { AwsCallError, isAbsent } from "../aws-call-error.ts";
import type { Aws } from "../create-aws.ts";
import { Agenda } from "./agenda.ts";
import type { Book } from "./book.ts";
import type { RemovalProgress } from "./certificate.ts";
import type { CertificateSettings } from "./settings.ts";

interface Ground {
  readonly aws: Pick<Aws, "acm">;
  readonly clock: Clock;
  readonly book: Book;
  readonly settings: CertificateSettings;
  /** A sweep may tell when it is in use no longer. */
  readonly hurry: () => void;
  readonly changed: (arn: string, owners: readonly string[]) => void;
}

/** `queued`: to be tried. `resting`: to be tried when somebody asks after a while. */
interface Removal {
  readonly since: number;
  readonly owners: Set<string>;
  phase: "queued" | "resting";
  progress: RemovalProgress;
  askedAt: number;
  restUntil: number;
  tries: number;
  /** A sweep said that it is in use. */
  seenInUse: boolean;
  /** AWS said before that there is no such certificate. */
  denied: boolean;
}

const AT_ONCE = 4;
const PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 600_000;
const GATE_MS = 5_000;

/** Deletes certificates. */
export class Removals {
  readonly #ground: Ground;
  readonly #agenda: Agenda;
  readonly #removals = new Map<string, Removal>();

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#agenda = new Agenda(ground.clock, AT_ONCE, (arn, signal) => this.#work(arn, signal));
  }

  remove(arn: string, owner: string): RemovalProgress {
    const { book, clock } = this.#ground;
    const now = clock.monotonic();
    if (book.isRemoved(arn) || book.get(arn)?.presence.is === "absent") return { state: "gone" };
    const removal = this.#removals.get(arn) ?? this.#begin(arn, now);
    removal.askedAt = now;
    removal.owners.add(owner);
    if (removal.phase === "resting" && now >= removal.restUntil) {
      removal.phase = "queued";
      this.#agenda.put(arn);
    }
    return removal.progress;
  }

  isGoing(arn: string): boolean {
    return this.#removals.has(arn);
  }

  ownersOf(arn: string): readonly string[] {
    return [...(this.#removals.get(arn)?.owners ?? [])];
  }

  /** Since when the youngest waits that is in use. */
  waitedSince(): number | undefined {
    const waiting = [...this.#removals.values()].filter(({ progress }) => progress.state === "inUse");
    return waiting.length === 0 ? undefined : Math.max(...waiting.map(({ since }) => since));
  }

  /** A sweep was made: who is in use no longer can go. */
  swept(): void {
    const { book, clock, settings } = this.#ground;
    const limit = clock.monotonic() - settings.forgetMs;
    for (const [arn, removal] of this.#removals) {
      const inUse = book.get(arn)?.certificate?.inUse ?? false;
      if (removal.seenInUse && !inUse && removal.phase === "resting") this.#offer(arn, removal);
      removal.seenInUse = inUse;
      if (removal.phase === "resting" && removal.askedAt < limit) this.#removals.delete(arn);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#agenda.run(signal);
    } finally {
      this.#agenda.clear();
      this.#removals.clear();
    }
  }

  /** What the last sweep saw in use is not tried before the next one: who just let go of it is not seen yet. */
  #begin(arn: string, now: number): Removal {
    const { book, hurry } = this.#ground;
    const seenInUse = book.get(arn)?.certificate?.inUse ?? false;
    const removal: Removal = {
      since: now,
      owners: new Set(),
      phase: seenInUse ? "resting" : "queued",
      progress: { state: seenInUse ? "inUse" : "waiting" },
      askedAt: now,
      restUntil: seenInUse ? now + 2 * PAUSE_MS : now,
      tries: 0,
      seenInUse,
      denied: false,
    };
    this.#removals.set(arn, removal);
    this.#agenda.put(arn, removal.restUntil - now);
    if (seenInUse) hurry();
    return removal;
  }

  #offer(arn: string, removal: Removal): void {
    removal.restUntil = this.#ground.clock.monotonic();
    this.#agenda.put(arn);
  }

  async #work(arn: string, signal: AbortSignal): Promise<void> {
    const removal = this.#removals.get(arn);
    if (removal === undefined) return;
    // Whoever still wants it gone asks again: it may have found a new use meanwhile.
    if (removal.phase === "resting") return this.#ground.changed(arn, [...removal.owners]);
    try {
      await this.#ground.aws.acm.deleteCertificate({ CertificateArn: arn }, { signal });
      this.#gone(arn, removal);
    } catch (error) {
      signal.throwIfAborted();
      this.#failed(arn, removal, error);
    }
  }

  #gone(arn: string, { owners }: Removal): void {
    this.#removals.delete(arn);
    this.#ground.book.removed(arn);
    this.#ground.changed(arn, [...owners]);
  }

  #failed(arn: string, removal: Removal, error: unknown): void {
    if (!(error instanceof AwsCallError)) return this.#agenda.put(arn, GATE_MS);
    const { book, clock, settings, hurry } = this.#ground;
    const now = clock.monotonic();
    if (isAbsent(error)) {
      // One that was requested just now, here or by a process before, may not be known everywhere yet.
      const settled = book.isSettled(arn, now) || now >= removal.since + settings.settleMs;
      if (removal.denied && settled) return this.#gone(arn, removal);
      removal.denied = true;
      return this.#agenda.put(arn, 2 * PAUSE_MS);
    }
    const inUse = error.code === "ResourceInUseException";
    const pause = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** removal.tries++);
    removal.phase = "resting";
    removal.progress = inUse ? { state: "inUse" } : { state: "failed", error };
    removal.restUntil = now + pause;
    if (inUse) hurry();
    this.#ground.changed(arn, [...removal.owners]);
    this.#agenda.put(arn, pause);
  }
}
