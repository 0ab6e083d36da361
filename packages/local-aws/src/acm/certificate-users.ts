import type { CertificateUse } from "../neighbours.ts";
import type { AwsWorld } from "../world.ts";

/** How long AWS goes on telling that a certificate is in use after it was taken off. */
const LAG = 10_000;

interface Sight {
  users: readonly string[];
  /** When it was first seen that a user is gone; undefined while all are there. */
  changedAt: number | undefined;
}

/** Who uses a certificate as ACM believes: late to notice that somebody does no longer. Forgets when the process ends. */
export class CertificateUsers {
  readonly #world: AwsWorld;
  readonly #use: CertificateUse;
  readonly #seen = new Map<string, Sight>();

  constructor(world: AwsWorld, use: CertificateUse) {
    this.#world = world;
    this.#use = use;
  }

  /** The users as they are told now. */
  usersOf(arn: string): readonly string[] {
    const users = this.#use.usersOf(arn);
    const { pace, clock } = this.#world;
    if (!pace.lag) return users;
    const sight = this.#seen.get(arn);
    const gone = sight?.users.some((user) => !users.includes(user)) === true;
    if (sight === undefined || !gone) return this.#note(arn, users);
    sight.changedAt ??= clock.now();
    if (clock.now() >= sight.changedAt + LAG * pace.durations) return this.#note(arn, users);
    return [...new Set([...users, ...sight.users])];
  }

  /** Says that somebody fetched the certificate, and so may well use it. */
  watch(arn: string): void {
    if (!this.#seen.has(arn)) this.#seen.set(arn, { users: [], changedAt: undefined });
  }

  /** Looks again at those that were in use, so that the lag is counted from when it happened. */
  look(): void {
    for (const arn of this.#seen.keys()) this.usersOf(arn);
  }

  #note(arn: string, users: readonly string[]): readonly string[] {
    if (users.length === 0) this.#seen.delete(arn);
    else this.#seen.set(arn, { users, changedAt: undefined });
    return users;
  }
}
