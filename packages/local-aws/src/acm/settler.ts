import type { PublicDns } from "../neighbours.ts";
import type { AwsWorld } from "../world.ts";
import { accountOf } from "./arn.ts";
import type { Place } from "./arn.ts";
import { isForbiddenByCaa } from "./caa.ts";
import type { CertificateUsers } from "./certificate-users.ts";
import { issue } from "./issue.ts";
import type { IssuedKeys } from "./issue.ts";
import type { LocalAuthority } from "./local-authority.ts";
import { nextStep } from "./progress.ts";
import type { Step } from "./progress.ts";
import type { CertificateRecord, Renewal } from "./records.ts";
import type { AcmStore } from "./store.ts";
import { isPublished, validationRecord } from "./validation-record.ts";

/** A read of many makes at most so many certificates: keys take time, and the reader waits. */
const MOST_PER_READ = 8;
/** Keys are made beside the main thread; more at once than there are threads for it help nobody. */
const AT_ONCE = 4;

/** Brings certificates to where they are by now: sees validations, issues, renews. */
export class Settler {
  readonly #world: AwsWorld;
  readonly #store: AcmStore;
  readonly #dns: PublicDns;
  readonly #users: CertificateUsers;
  readonly #authority: LocalAuthority;
  readonly #keys: IssuedKeys;
  /** Certificates that are being made, so that none is made twice. */
  readonly #making = new Map<string, Promise<void>>();

  constructor(
    world: AwsWorld,
    store: AcmStore,
    dns: PublicDns,
    users: CertificateUsers,
    authority: LocalAuthority,
    keys: IssuedKeys,
  ) {
    this.#world = world;
    this.#store = store;
    this.#dns = dns;
    this.#users = users;
    this.#authority = authority;
    this.#keys = keys;
  }

  /** Settles one certificate. A record that is gone is settled. */
  async settle(arn: string): Promise<void> {
    const record = this.#store.certificates.get(arn);
    if (record === undefined) return;
    const step = this.#step(record);
    if (step.do === "note")
      await this.#store.commit((commit) => commit.put(this.#store.certificates, arn, step.record));
    if (step.do === "issue") await this.#make(arn, step.renewal);
  }

  /** Settles those of a place, but makes only a few; the rest is left to the next read or tick. */
  async settleSome(place: Place): Promise<void> {
    await this.#settleAll(this.#store.certificatesIn(place), MOST_PER_READ);
  }

  /** Settles all that there are. */
  async tick(signal: AbortSignal): Promise<void> {
    this.#users.look();
    await this.#store.sweepTokens(this.#world.clock.now());
    const due = this.#store.certificates.list().filter(([, record]) => this.#step(record).do !== "nothing");
    for (let i = 0; i < due.length; i += AT_ONCE) {
      signal.throwIfAborted();
      await Promise.all(due.slice(i, i + AT_ONCE).map(([arn]) => this.settle(arn)));
    }
  }

  async #settleAll(records: readonly CertificateRecord[], most: number): Promise<void> {
    const steps = records.map((record) => ({ arn: record.arn, step: this.#step(record) }));
    const notes = steps.flatMap(({ arn, step }) => (step.do === "note" ? [{ arn, record: step.record }] : []));
    const due = steps.filter(({ step }) => step.do === "issue").slice(0, most);
    if (notes.length > 0) {
      await this.#store.commit((commit) => {
        for (const { arn, record } of notes) commit.put(this.#store.certificates, arn, record);
      });
    }
    await Promise.all(due.map(({ arn }) => this.settle(arn)));
  }

  #step(record: CertificateRecord): Step {
    const account = accountOf(record.arn);
    return nextStep(record, {
      now: this.#world.clock.now(),
      durations: this.#world.pace.durations,
      published: (name) => isPublished(this.#dns, validationRecord(account, name)),
      forbidden: (name) => isForbiddenByCaa(this.#dns, name),
      inUse: () => this.#users.usersOf(record.arn).length > 0,
    });
  }

  #make(arn: string, renewal: Renewal | undefined): Promise<void> {
    const running = this.#making.get(arn);
    if (running) return running;
    const made = this.#makeNow(arn, renewal).finally(() => this.#making.delete(arn));
    this.#making.set(arn, made);
    return made;
  }

  async #makeNow(arn: string, renewal: Renewal | undefined): Promise<void> {
    const before = this.#store.certificates.get(arn);
    if (before === undefined) return;
    const at = this.#world.clock.now();
    const { facts, material } = await issue(await this.#authority.get(), before, at, this.#keys);
    // Tags may have changed meanwhile, and the certificate may be gone.
    const record = this.#store.certificates.get(arn);
    if (record === undefined) return;
    await this.#store.commit((commit) => {
      const renewed = renewal === undefined ? {} : { renewal };
      commit.put(this.#store.certificates, arn, { ...record, ...renewed, phase: { is: "issued", at, facts } });
      commit.put(this.#store.materials, arn, material);
    });
  }
}
