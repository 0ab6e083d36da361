import type { Clock } from "@gatewright/ports";
import { AwsCallError, isAbsent } from "../aws-call-error.ts";
import type { Aws } from "../create-aws.ts";
import type { Book } from "./book.ts";
import type { CertificateLog } from "./log.ts";
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
}

/** Whether tags could be read, and when the reading began. */
export type TagReading = { readonly at: number; readonly rights: boolean };

/** Finds which certificates are this cluster's: a hundred a call, or one by one where there are no rights for that. */
export class TagReader {
  readonly #ground: Ground;
  #last: TagReading | undefined;
  #told = false;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** The last reading that came to its end. */
  get last(): TagReading | undefined {
    return this.#last;
  }

  clear(): void {
    this.#last = undefined;
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
        book.tagged(ResourceARN, new Map(Tags.map(({ Key, Value }) => [Key, Value])));
      }
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.#tell("tag:GetResources is refused; tags are read certificate by certificate", error);
      return false;
    }
    for (const arn of [...book.tags().keys()]) {
      const settled = (book.get(arn)?.requestedAt ?? -Infinity) + settings.settleMs < at;
      if (settled && !found.has(arn)) book.untagged(arn);
    }
    return true;
  }

  async #readEach(signal: AbortSignal): Promise<boolean> {
    const { aws, book } = this.#ground;
    const known = book.tags();
    const unread = [...book.entries()].filter(({ arn, certificate }) => certificate !== undefined && !known.has(arn));
    for (const { arn } of unread) {
      try {
        const { Tags = [] } = await aws.acm.listTagsForCertificate({ CertificateArn: arn }, { signal });
        book.tagged(arn, new Map(Tags.map(({ Key, Value = "" }) => [Key, Value])));
      } catch (error) {
        if (isAbsent(error)) continue;
        if (!isRefused(error)) throw error;
        this.#tell("acm:ListTagsForCertificate is refused; own certificates are not known", error);
        return false;
      }
    }
    return true;
  }

  #tell(message: string, error: unknown): void {
    if (!this.#told) this.#ground.log.warn(message, { error: String(error) });
    this.#told = true;
  }
}

/** No rights, or no such service where this runs: the same again is refused again. */
function isRefused(error: unknown): boolean {
  return error instanceof AwsCallError && error.kind === "terminal";
}
