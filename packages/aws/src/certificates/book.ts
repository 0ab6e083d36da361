import type { Clock } from "@gatewright/ports";
import type { Certificate, NameValidation } from "./certificate.ts";
import { NameIndex } from "./name-index.ts";
import { conclude } from "./presence.ts";
import type { Presence } from "./presence.ts";
import type { CertificateSettings } from "./settings.ts";

/** Added to every certificate that is requested, so that the request is known when ACM has forgotten its token. */
export const TOKEN_TAG = "gatewright.dev/request";

/** All that is known of one ARN. Times are on the monotonic clock. */
export interface Entry {
  readonly arn: string;
  certificate: Certificate | undefined;
  presence: Presence;
  /** When this process requested it; undefined when it did not. */
  readonly requestedAt: number | undefined;
  /** Since when it may exist, as far as is known: when it was requested or first heard of, until a look finds it. */
  heardAt: number;
  /** When somebody last asked for it. */
  askedAt: number | undefined;
  /** When the look began that told the last of it. */
  seenAt: number;
  /** When the last describe that answered began, and how many there were since the status changed. */
  describedAt: number | undefined;
  describes: number;
  /** The listing did not tell all names. */
  moreNames: boolean;
  /** Somebody needs its validation records, whatever became of it. */
  proofsWanted: boolean;
}

/** What is known of certificates: what looks told, in the order in which they began. */
export class Book {
  readonly #clock: Clock;
  readonly #settings: CertificateSettings;
  readonly #entries = new Map<string, Entry>();
  readonly #names = new NameIndex();
  readonly #tags = new Map<string, ReadonlyMap<string, string>>();
  /** Certificates by the token that they were requested with. */
  readonly #tokens = new Map<string, string>();
  /** What was removed here, and when. ARNs are never used again, so whatever a late listing says of them is old. */
  readonly #removed = new Map<string, number>();

  constructor(clock: Clock, settings: CertificateSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  get(arn: string): Entry | undefined {
    return this.#entries.get(arn);
  }

  /** The entry of an ARN that somebody asks for, made when there is none. */
  asked(arn: string): Entry {
    const entry = this.#entries.get(arn) ?? this.#put(arn);
    entry.askedAt = this.#clock.monotonic();
    return entry;
  }

  isRemoved(arn: string): boolean {
    return this.#removed.has(arn);
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** Certificates that have exactly this name. */
  named(name: string): readonly Certificate[] {
    return this.#names.get(name).flatMap((arn) => this.#entries.get(arn)?.certificate ?? []);
  }

  /** A certificate that was requested just now. */
  requested(certificate: Certificate): void {
    const now = this.#clock.monotonic();
    const known = this.#entries.get(certificate.arn);
    this.tagged(certificate.arn, certificate.tags ?? new Map());
    if (known?.certificate !== undefined) return;
    const entry = this.#put(certificate.arn, now);
    entry.askedAt = now;
    this.#tell(entry, certificate, now);
  }

  /** What a look told of a certificate that it found. Whether anything is new. */
  found(
    certificate: Certificate,
    began: number,
    how: { readonly moreNames?: boolean; readonly described?: boolean } = {},
  ): boolean {
    if (this.#removed.has(certificate.arn)) return false;
    const entry = this.#entries.get(certificate.arn) ?? this.#put(certificate.arn);
    entry.moreNames = how.moreNames ?? false;
    if (entry.requestedAt === undefined) entry.heardAt = -Infinity;
    const news = began >= entry.seenAt && this.#tell(entry, certificate, began);
    if (how.described === true) {
      entry.describedAt = began;
      entry.describes++;
    }
    return news;
  }

  /** Whether looks that began then must know of the certificate, if there is one. Another process may have requested it just now. */
  isSettled(arn: string, began: number): boolean {
    const entry = this.#entries.get(arn);
    return entry !== undefined && began >= entry.heardAt + this.#settings.settleMs;
  }

  /** A complete sweep did not have it, or a describe said that there is no such. Whether it is absent now, and was not before. */
  missing(entry: Entry, sight: "sweep without it" | "no such certificate", began: number): boolean {
    if (!this.isSettled(entry.arn, began) || began < entry.seenAt || entry.presence.is === "absent") return false;
    entry.presence = conclude(entry.presence, sight, began);
    const gone = entry.presence.is === "absent";
    if (gone) this.#forgetNames(entry);
    // Nobody asked, so nobody is told; two sweeps are enough to offer it no more.
    if (entry.presence.is === "missed" && entry.presence.sweeps > 1 && entry.askedAt === undefined) this.#drop(entry);
    return gone;
  }

  /** The tags of a certificate, of which a sweep may not know yet. */
  tagged(arn: string, tags: ReadonlyMap<string, string>): void {
    if (this.#removed.has(arn)) return;
    this.#tags.set(arn, tags);
    const token = tags.get(TOKEN_TAG);
    if (token !== undefined) this.#tokens.set(token, arn);
    const entry = this.#entries.get(arn);
    if (entry?.certificate !== undefined) entry.certificate = { ...entry.certificate, tags };
  }

  /** That certificate has no tags that concern us. */
  untagged(arn: string): void {
    this.#tags.delete(arn);
    const entry = this.#entries.get(arn);
    if (entry?.certificate === undefined) return;
    const { tags: _, ...rest } = entry.certificate;
    entry.certificate = rest;
  }

  tags(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    return this.#tags;
  }

  /** The certificate that was requested with a token, as far as tags are known. */
  withToken(token: string): string | undefined {
    return this.#tokens.get(token);
  }

  /** AWS said that it is gone. */
  removed(arn: string): void {
    const entry = this.#entries.get(arn);
    if (entry !== undefined) this.#drop(entry);
    this.#forgetTags(arn);
    this.#removed.set(arn, this.#clock.monotonic());
  }

  /** Lets go of what nobody asked for in a while. What a sweep found stays. */
  prune(): void {
    const limit = this.#clock.monotonic() - this.#settings.forgetMs;
    for (const [arn, at] of this.#removed) if (at < limit) this.#removed.delete(arn);
    for (const entry of this.#entries.values()) {
      if ((entry.askedAt ?? limit) >= limit) continue;
      if (entry.certificate === undefined || entry.presence.is !== "seen") this.#drop(entry);
      else entry.askedAt = undefined;
    }
    for (const [token, arn] of this.#tokens) {
      if (!this.#entries.has(arn) && !this.#tags.has(arn)) this.#tokens.delete(token);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#names.clear();
    this.#tags.clear();
    this.#tokens.clear();
    this.#removed.clear();
  }

  #put(arn: string, requestedAt?: number): Entry {
    const entry: Entry = {
      arn,
      certificate: undefined,
      presence: { is: "seen" },
      requestedAt,
      heardAt: this.#clock.monotonic(),
      askedAt: undefined,
      seenAt: -Infinity,
      describedAt: undefined,
      describes: 0,
      moreNames: false,
      proofsWanted: false,
    };
    this.#entries.set(arn, entry);
    return entry;
  }

  #tell(entry: Entry, told: Certificate, began: number): boolean {
    const before = entry.certificate;
    // A request that ended never becomes pending again: who says so is late.
    const late = told.status === "PENDING_VALIDATION" && (before?.status ?? told.status) !== told.status;
    if (late) return false;
    if (before?.status !== told.status) entry.describes = 0;
    const tags = this.#tags.get(entry.arn);
    const after = { ...merge(before, told, entry.moreNames), ...(tags !== undefined && { tags }) };
    entry.certificate = after;
    entry.presence = conclude(entry.presence, "found", began);
    entry.seenAt = began;
    this.#names.set(entry.arn, after.names);
    return before === undefined || !same(before, after);
  }

  #forgetNames(entry: Entry): void {
    entry.certificate = undefined;
    this.#names.set(entry.arn, []);
  }

  #forgetTags(arn: string): void {
    const token = this.#tags.get(arn)?.get(TOKEN_TAG);
    if (token !== undefined) this.#tokens.delete(token);
    this.#tags.delete(arn);
  }

  #drop(entry: Entry): void {
    this.#forgetNames(entry);
    this.#forgetTags(entry.arn);
    this.#entries.delete(entry.arn);
  }
}

/** A listing tells less than a describe: what it does not tell stays as it was. */
function merge(before: Certificate | undefined, told: Certificate, moreNames: boolean): Certificate {
  if (before === undefined) return told;
  const settled = told.status === "ISSUED" && before.status !== told.status;
  const { validations, failureReason, renewal, ...kept } = before;
  return {
    ...kept,
    ...(!settled && validations !== undefined && { validations }),
    // What was pending when it was last described is proven by now.
    ...(settled &&
      validations?.every(({ record }) => record !== undefined) && { validations: validations.map(proven) }),
    ...(!settled && failureReason !== undefined && { failureReason }),
    // Another end: it was renewed.
    ...(before.notAfter === told.notAfter && renewal !== undefined && { renewal }),
    ...told,
    names: moreNames && before.names.length > told.names.length ? before.names : told.names,
  };
}

function proven(validation: NameValidation): NameValidation {
  return { ...validation, status: "SUCCESS" };
}

function same(one: Certificate, other: Certificate): boolean {
  const text = ({ tags, ...rest }: Certificate): string => JSON.stringify([rest, [...(tags ?? [])]]);
  return text(one) === text(other);
}
