import type { Clock } from "@gatewright/ports";
import { AwsCallError } from "../aws-call-error.ts";
import type { Aws } from "../create-aws.ts";
import { Agenda } from "./agenda.ts";
import type { Book } from "./book.ts";
import type { CertificateLog } from "./log.ts";
import { readTags } from "./read-tags.ts";
import type { CertificateSettings } from "./settings.ts";

/** The tag by which the certificates of a cluster are known. */
export interface ClusterTag {
  readonly key: string;
  readonly value: string;
}

interface Ground {
  readonly aws: Pick<Aws, "acm" | "tagging">;
  readonly clock: Clock;
  readonly book: Book;
  readonly clusterTag: ClusterTag;
  readonly settings: CertificateSettings;
  readonly log: CertificateLog;
  /** The tags of a certificate are known now. */
  readonly changed: (arn: string) => void;
}

/** Whether tags could be read, and when the reading began. */
export type TagReading = { readonly at: number; readonly rights: boolean };

/** Finds which certificates are this cluster's: a hundred a call, or one by one where there are no rights for that. */
export class TagReader {
  readonly #ground: Ground;
  #last: TagReading | undefined;
  readonly #told = new Set<string>();
  readonly #single: Agenda;
  #refused = false;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#single = new Agenda(ground.clock, 2, (arn, signal) => this.#wanted(arn, signal));
  }

  /** The last reading that came to its end. */
  get last(): TagReading | undefined {
    return this.#last;
  }

  /** The tags of this certificate are wanted although it is not this cluster's, as far as the last reading tells. */
  want(arn: string): void {
    if (this.#last !== undefined && !this.#refused && !this.#ground.book.tags().has(arn)) this.#single.put(arn);
  }

  /** Reads single ones as they are wanted. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#single.run(signal);
    } finally {
      this.#single.clear();
      this.#last = undefined;
      this.#refused = false;
    }
  }

  /** Reads them all. Rejects when it came to no end. */
  async read(signal: AbortSignal): Promise<void> {
    const at = this.#ground.clock.monotonic();
    const rights = (await this.#readAll(at, signal)) || (await this.#readEach(signal));
    this.#last = { at, rights };
  }

  /** False: there are no rights for it. */
  async #readAll(at: number, signal: AbortSignal): Promise<boolean> {
    const { aws, book, clusterTag, settings } = this.#ground;
    const TagFilters = [{ Key: clusterTag.key, Values: [clusterTag.value] }];
    const listing = { TagFilters, ResourceTypeFilters: ["acm:certificate"], ResourcesPerPage: 100 };
    const found = new Set<string>();
    try {
      for await (const { ResourceARN, Tags = [] } of aws.tagging.allResources(listing, { signal })) {
        if (ResourceARN === undefined) continue;
        found.add(ResourceARN);
        const isNew = !book.tags().has(ResourceARN);
        book.tagged(ResourceARN, new Map(Tags.map(({ Key, Value }) => [Key, Value])));
        if (isNew) this.#ground.changed(ResourceARN);
      }
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.#tell("tag:GetResources is refused; tags are read certificate by certificate");
      return false;
    }
    for (const [arn, tags] of book.tags()) {
      const settled = (book.get(arn)?.requestedAt ?? -Infinity) + settings.settleMs < at;
      if (settled && !found.has(arn) && tags.get(clusterTag.key) === clusterTag.value) book.untagged(arn);
    }
    return true;
  }

  async #readEach(signal: AbortSignal): Promise<boolean> {
    const { book } = this.#ground;
    const known = book.tags();
    const unread = [...book.entries()].filter(({ arn, certificate }) => certificate !== undefined && !known.has(arn));
    for (const { arn } of unread) if (!(await this.#readOne(arn, signal))) return false;
    return true;
  }

  async #readOne(arn: string, signal: AbortSignal): Promise<boolean> {
    const { aws, book } = this.#ground;
    if ((await readTags(aws, book, arn, signal)) === "read") return true;
    this.#tell("acm:ListTagsForCertificate is refused; tags of certificates are not known");
    this.#refused = true;
    return false;
  }

  async #wanted(arn: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#readOne(arn, signal);
    } catch {
      signal.throwIfAborted();
      // Trouble that passes: who still wants them asks again.
      return;
    }
    this.#ground.changed(arn);
  }

  #tell(message: string): void {
    if (!this.#told.has(message)) this.#ground.log.warn(message);
    this.#told.add(message);
  }
}

/** No rights, or no such service where this runs: the same again is refused again. */
function isRefused(error: unknown): boolean {
  return error instanceof AwsCallError && error.kind === "terminal";
}
