import type { Clock, Random } from "@gatewright/ports";
import type { Aws } from "../create-aws.ts";
import { Agenda } from "./agenda.ts";
import { ALL_CERTIFICATES } from "./all-certificates.ts";
import type { Book } from "./book.ts";
import type { CertificateLog } from "./log.ts";
import { fromSummary } from "./read-certificate.ts";
import type { CertificateSettings } from "./settings.ts";
import type { TagReader } from "./tag-reader.ts";

interface Ground {
  readonly aws: Pick<Aws, "acm">;
  readonly clock: Clock;
  readonly random: Random;
  readonly book: Book;
  readonly tags: TagReader;
  readonly settings: CertificateSettings;
  readonly log: CertificateLog;
  /** Since when the youngest of those is waited for that a sweep may tell something of. */
  readonly waitedSince: () => number | undefined;
  /** Told what a complete sweep changed; also when that is nothing. */
  readonly swept: (changed: readonly string[]) => void;
  /** Tags were read. */
  readonly read: () => void;
}

const KEY = "sweep";
/** What is waited for is looked at again when this part of the time has passed again: late by 15 % at most, in few calls. */
const PATIENCE = 0.15;
const LONGEST_PAUSE_MS = 300_000;

/** Lists all certificates: often while something is waited for, seldom otherwise; and reads tags along with that. */
export class Sweeper {
  readonly #ground: Ground;
  readonly #agenda: Agenda;
  #began = -Infinity;
  #complete: number | undefined;
  #failures = 0;
  #wantsTags = true;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#agenda = new Agenda(ground.clock, 1, (_key, signal) => this.#work(signal));
  }

  /** When the last complete sweep began. */
  get complete(): number | undefined {
    return this.#complete;
  }

  /** As soon as the pause between two sweeps allows. */
  hurry(): void {
    if (this.#failures > 0) return;
    this.#agenda.put(KEY, Math.max(0, this.#began + this.#ground.settings.sweepMs - this.#ground.clock.monotonic()));
  }

  /** Has tags read with the next sweep, which is soon. */
  wantTags(): void {
    this.#wantsTags = true;
    this.hurry();
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#agenda.put(KEY);
    try {
      await this.#agenda.run(signal);
    } finally {
      this.#agenda.clear();
      this.#began = -Infinity;
      this.#complete = undefined;
      this.#failures = 0;
      this.#wantsTags = true;
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { clock, log, settings, tags } = this.#ground;
    this.#began = clock.monotonic();
    try {
      await this.#sweep(signal);
      if (this.#wantsTags || (tags.last?.at ?? -Infinity) + settings.restMs <= clock.monotonic()) {
        await tags.read(signal);
        this.#wantsTags = false;
        this.#ground.read();
      }
      this.#failures = 0;
      this.#agenda.put(KEY, this.#pause());
    } catch (error) {
      signal.throwIfAborted();
      if (this.#failures++ === 0)
        log.warn("certificates could not be listed; what is known stays", { error: String(error) });
      this.#agenda.put(KEY, Math.min(LONGEST_PAUSE_MS, settings.sweepMs * 2 ** this.#failures));
    }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { aws, book, swept } = this.#ground;
    const began = this.#began;
    const listed = new Set<string>();
    const changed: string[] = [];
    for await (const summary of aws.acm.allCertificates(ALL_CERTIFICATES, { signal })) {
      const certificate = fromSummary(summary);
      if (certificate === undefined) continue;
      listed.add(certificate.arn);
      const moreNames = summary.HasAdditionalSubjectAlternativeNames ?? false;
      if (book.found(certificate, began, { moreNames })) changed.push(certificate.arn);
    }
    for (const entry of book.entries()) {
      if (!listed.has(entry.arn) && book.missing(entry, "sweep without it", began)) changed.push(entry.arn);
    }
    this.#complete = began;
    book.prune();
    swept(changed);
  }

  #pause(): number {
    const { clock, random, settings, waitedSince } = this.#ground;
    const since = waitedSince();
    const resting = settings.restMs * (1 + (random.bytes(1)[0] ?? 0) / 1_280);
    if (since === undefined) return resting;
    return Math.min(resting, Math.max(settings.sweepMs, PATIENCE * (clock.monotonic() - since)));
  }
}
