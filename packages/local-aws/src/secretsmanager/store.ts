import type { Commit, Records } from "../state/state.ts";
import type { AwsWorld } from "../world.ts";
import { readArn } from "./names.ts";
import type { Place, SecretRecord } from "./records.ts";
import { markedForDeletion, noSecret } from "./refusals.ts";

/** All that Secrets Manager remembers. Secrets are keyed by account, region and name. */
export class SecretStore {
  readonly secrets: Records<SecretRecord>;
  readonly #world: AwsWorld;

  constructor(world: AwsWorld) {
    this.#world = world;
    this.secrets = world.state.records("secretsmanager/secrets");
  }

  /** Puts a secret, and forgets those of its place that were purged. */
  put(secret: SecretRecord): Promise<void> {
    return this.#world.state.commit((commit) => {
      this.#forgetPurged(commit, secret);
      commit.put(this.secrets, keyOf(secret, secret.name), secret);
    });
  }

  /** The secret of a name, also one that is marked for deletion. */
  named(place: Place, name: string): SecretRecord | undefined {
    const found = this.secrets.get(keyOf(place, name));
    return found !== undefined && this.#isThere(found) ? found : undefined;
  }

  /** The secret of a name or an ARN, with or without the random end, also one that is marked for deletion. */
  find(place: Place, id: string): SecretRecord | undefined {
    if (!id.startsWith("arn:")) return this.named(place, id);
    const read = readArn(id);
    if (read === undefined || read.account !== place.account || read.region !== place.region) return undefined;
    const whole = this.named(place, read.rest.replace(/-[A-Za-z0-9]{6}$/, ""));
    return whole?.arn === id ? whole : this.named(place, read.rest);
  }

  /** As `find`; refuses what is not there. */
  known(place: Place, id: string): SecretRecord {
    const found = this.find(place, id);
    if (found === undefined) throw noSecret();
    return found;
  }

  /** As `known`; refuses what is marked for deletion, too. */
  living(place: Place, id: string): SecretRecord {
    const found = this.known(place, id);
    if (found.deletion !== undefined) throw markedForDeletion();
    return found;
  }

  /** By name. */
  secretsIn(place: Place): readonly SecretRecord[] {
    return this.secrets
      .list(keyOf(place, ""))
      .map(([, secret]) => secret)
      .filter((secret) => this.#isThere(secret));
  }

  #isThere({ deletion }: SecretRecord): boolean {
    return deletion === undefined || this.#world.clock.now() < deletion.until;
  }

  #forgetPurged(commit: Commit, place: Place): void {
    for (const [key, secret] of this.secrets.list(keyOf(place, ""))) {
      if (!this.#isThere(secret)) commit.delete(this.secrets, key);
    }
  }
}

function keyOf({ account, region }: Place, name: string): string {
  return `${account}|${region}|${name}`;
}
