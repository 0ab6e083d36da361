import { linkSignals } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import { isAbsent } from "../aws-call-error.ts";
import type { Aws } from "../create-aws.ts";
import { Book } from "./book.ts";
import type { Certificate, Certificates } from "./certificate.ts";
import type { CertificateLog } from "./log.ts";
import { Looks } from "./looks.ts";
import { OtherRegions } from "./other-regions.ts";
import { fromDetail } from "./read-certificate.ts";
import { Removals } from "./removals.ts";
import { Requests } from "./requests.ts";
import { proofName, servingNames } from "./served-names.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import type { CertificateSettings } from "./settings.ts";
import { Sweeper } from "./sweeper.ts";
import { TagReader } from "./tag-reader.ts";
import type { ClusterTag } from "./tag-reader.ts";
import { Waiting } from "./waiting.ts";

export interface CertificatesOptions {
  readonly aws: Aws;
  /** Other regions of the account in which certificates may need the same validation records. */
  readonly otherRegions?: readonly Aws[];
  /** What all certificates of this cluster are tagged with. */
  readonly clusterTag: ClusterTag;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: CertificateLog;
  readonly settings?: Partial<CertificateSettings>;
}

/** Looks after the certificates of an account in a region. No call is made before `run`; orders wait for it. */
export function createCertificates(options: CertificatesOptions): Certificates {
  const { aws, clock, random, clusterTag, log = { warn() {} } } = options;
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const listeners: ((arn: string, owners: readonly string[]) => void)[] = [];
  const book = new Book(clock, settings);
  const waiting = new Waiting(clock, book);

  const tell = (arn: string, owners: readonly string[]): void => {
    for (const listener of listeners) listener(arn, owners);
  };
  const changed = (arn: string): void =>
    tell(arn, [...new Set([...requests.ownersOf(arn), ...removals.ownersOf(arn)])]);
  const tellIfAsked = (arn: string): void => {
    if (book.get(arn)?.askedAt !== undefined) changed(arn);
  };
  const interest = (arn: string): void => {
    if (waiting.add(arn)) sweeper.hurry();
  };
  const waited = (): number | undefined => {
    const since = [waiting.youngest(), removals.waitedSince()].filter((at) => at !== undefined);
    return since.length === 0 ? undefined : Math.max(...since);
  };
  const tellWaitingOwners = (): void => {
    const owners = waiting.takeOwners();
    if (owners.length > 0) tell("", owners);
  };
  const swept = (arns: readonly string[]): void => {
    for (const entry of book.entries()) if (entry.askedAt !== undefined) looks.plan(entry.arn);
    removals.swept();
    requests.prune();
    for (const arn of arns) tellIfAsked(arn);
    tellWaitingOwners();
  };

  const ground = { aws, clock, random, book, clusterTag, settings, log };
  const tags = new TagReader({ ...ground, changed: (arn) => tellIfAsked(arn) });
  const sweeper = new Sweeper({ ...ground, tags, waitedSince: waited, swept, read: () => requests.resume() });
  const looks = new Looks({ ...ground, changed, denied: () => sweeper.hurry() });
  const requests = new Requests({
    ...ground,
    tags,
    wantTags: () => sweeper.wantTags(),
    requested: (arn) => {
      book.asked(arn);
      interest(arn);
      looks.plan(arn);
    },
    changed: tell,
  });
  const removals = new Removals({ ...ground, hurry: () => sweeper.hurry(), changed: tell });
  const regions = new OtherRegions(options.otherRegions ?? [], { ...ground, listed: tellWaitingOwners });

  const isOwn = ({ tags: told }: Certificate): boolean => told?.get(clusterTag.key) === clusterTag.value;
  const rank = (certificate: Certificate): number => (isOwn(certificate) ? 0 : 1);
  const isOffered = ({ arn }: Certificate): boolean => !removals.isGoing(arn) && book.get(arn)?.presence.is === "seen";

  return {
    request: (order) => requests.request(order),
    remove: (arn, owner) => removals.remove(arn, owner),
    get(arn) {
      if (book.isRemoved(arn)) return "absent";
      const { certificate, presence } = book.asked(arn);
      if (presence.is === "absent") return "absent";
      interest(arn);
      looks.plan(arn);
      if (certificate !== undefined && certificate.tags === undefined) tags.want(arn);
      return certificate ?? "unknown";
    },
    covering(name, status, owner) {
      if (sweeper.complete === undefined) return waiting.forSweep(owner);
      return servingNames(name)
        .flatMap((each) => book.named(each))
        .filter((certificate) => certificate.status === status && isOffered(certificate))
        .toSorted((one, other) => rank(one) - rank(other) || (other.notAfter ?? 0) - (one.notAfter ?? 0));
    },
    carrying(name, owner) {
      const elsewhere = regions.carrying(name);
      const fresh = (sweeper.complete ?? -Infinity) >= clock.monotonic() - settings.freshMs;
      if (!fresh) sweeper.hurry();
      if (!fresh || elsewhere === "unknown") return waiting.forSweep(owner);
      const proof = proofName(name);
      return [...book.named(proof), ...book.named(`*.${proof}`), ...elsewhere].filter(
        ({ arn }, i, all) => all.findIndex((each) => each.arn === arn) === i,
      );
    },
    async describe(arn, signal) {
      try {
        const { Certificate: detail } = await aws.acm.describeCertificate({ CertificateArn: arn }, { signal });
        return detail === undefined ? "absent" : fromDetail(arn, detail);
      } catch (error) {
        if (isAbsent(error)) return "absent";
        throw error;
      }
    },
    own() {
      if (sweeper.complete === undefined || tags.last?.rights !== true) return "unknown";
      return [...book.entries()].flatMap(({ certificate }) => (certificate && isOwn(certificate) ? certificate : []));
    },
    interest(arn) {
      book.asked(arn).proofsWanted = true;
      interest(arn);
      looks.plan(arn);
    },
    onChange: (listener) => void listeners.push(listener),
    async run(signal) {
      const failed = new AbortController();
      using either = linkSignals([signal, failed.signal]);
      const parts = [sweeper, tags, looks, requests, removals, regions].map(async (part) => {
        try {
          await part.run(either.signal);
        } catch (error) {
          failed.abort(error);
          throw error;
        }
      });
      try {
        await Promise.allSettled(parts);
        await Promise.all(parts);
      } finally {
        waiting.clear();
        book.clear();
      }
    },
  };
}
