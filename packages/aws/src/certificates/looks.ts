import type { Clock } from "@gatewright/ports";
import { isAbsent } from "../aws-call-error.ts";
import type { Aws } from "../create-aws.ts";
import { Agenda } from "./agenda.ts";
import type { Book } from "./book.ts";
import type { CertificateLog } from "./log.ts";
import { nextLook } from "./look-plan.ts";
import { fromDetail } from "./read-certificate.ts";
import type { CertificateSettings } from "./settings.ts";

interface Ground {
  readonly aws: Pick<Aws, "acm">;
  readonly clock: Clock;
  readonly book: Book;
  readonly settings: CertificateSettings;
  readonly log: CertificateLog;
  readonly changed: (arn: string) => void;
  /** A describe said that there is no such certificate: a sweep has to say so too. */
  readonly denied: () => void;
}

const AT_ONCE = 4;
const PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

/** Describes single certificates, for what sweeps cannot tell. */
export class Looks {
  readonly #ground: Ground;
  readonly #agenda: Agenda;
  readonly #failures = new Map<string, number>();

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#agenda = new Agenda(ground.clock, AT_ONCE, (arn, signal) => this.#work(arn, signal));
  }

  /** Looks when there is something to learn. */
  plan(arn: string): void {
    if (this.#failures.has(arn)) return;
    const ms = this.#due(arn);
    if (ms !== undefined) this.#agenda.put(arn, ms);
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#agenda.run(signal);
    } finally {
      this.#agenda.clear();
      this.#failures.clear();
    }
  }

  #due(arn: string): number | undefined {
    const { book, clock, settings } = this.#ground;
    const entry = book.get(arn);
    return entry && nextLook(entry, settings, { now: clock.monotonic(), wall: clock.now() });
  }

  async #work(arn: string, signal: AbortSignal): Promise<void> {
    const { aws, book, clock, log } = this.#ground;
    // A sweep may have told meanwhile what was to be looked for.
    if ((this.#due(arn) ?? Infinity) > 0) {
      this.#failures.delete(arn);
      return this.plan(arn);
    }
    const began = clock.monotonic();
    try {
      const { Certificate: detail } = await aws.acm.describeCertificate({ CertificateArn: arn }, { signal });
      this.#failures.delete(arn);
      if (detail !== undefined && book.found(fromDetail(arn, detail), began, { described: true }))
        this.#ground.changed(arn);
    } catch (error) {
      signal.throwIfAborted();
      if (isAbsent(error)) return this.#absent(arn, began);
      const failures = (this.#failures.get(arn) ?? 0) + 1;
      this.#failures.set(arn, failures);
      if (failures === 1) log.warn("a certificate could not be described", { arn, error: String(error) });
      this.#agenda.put(arn, Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** (failures - 1)));
      return;
    }
    this.plan(arn);
  }

  #absent(arn: string, began: number): void {
    const { book, denied } = this.#ground;
    this.#failures.delete(arn);
    const entry = book.get(arn);
    if (entry === undefined) return;
    book.missing(entry, "no such certificate", began);
    if (entry.presence.is === "denied") denied();
    // A request that AWS does not know of everywhere yet.
    else if (entry.presence.is === "seen") this.#agenda.put(arn, PAUSE_MS);
  }
}
