import type { DeliverableKey } from "../../model/deliverable.ts";
import type { Catalogue } from "../../model/catalogue.ts";

/** How many past ones are remembered. */
const MOST = 4096;
const WORDS = 4;

type Followed = Pick<Catalogue, "revision" | "since" | "all" | "subscribe">;

/**
 * A version of all that there is: equal content has the same one, on every replica, whatever the way to it. By it replicas tell each
 * other how far a gateway is, whose numbers mean nothing elsewhere. An edit costs the same however much there is.
 */
export class SetVersions {
  readonly #catalogue: Followed;
  readonly #held = new Map<DeliverableKey, string>();
  readonly #words = new Uint32Array(WORDS);
  readonly #revisions = new Map<string, number>();
  readonly #versions = new Map<number, string>();
  #seen = 0;

  private constructor(catalogue: Followed) {
    this.#catalogue = catalogue;
  }

  /** Follows a catalogue from now on: each holds on to the other. */
  static of(catalogue: Followed): SetVersions {
    const versions = new SetVersions(catalogue);
    versions.#follow();
    catalogue.subscribe(() => versions.#follow());
    return versions;
  }

  #follow(): void {
    const { revision } = this.#catalogue;
    if (revision === this.#seen) return;
    const changes = this.#catalogue.since(this.#seen);
    if (changes === undefined) this.#anew();
    else for (const { key, deliverable } of changes) this.#replace(key, deliverable?.version);
    this.#seen = revision;
    const version = Array.from(this.#words, (word) => word.toString(16).padStart(8, "0")).join("");
    this.#revisions.delete(version);
    this.#revisions.set(version, revision);
    this.#versions.set(revision, version);
    forgetOldest(this.#revisions);
    forgetOldest(this.#versions);
  }

  /** The version at a revision of this process; empty when it is not known. */
  at(revision: number): string {
    return this.#versions.get(revision) ?? "";
  }

  /** The newest revision of this process at which all was of this version; undefined when it never was, or long ago. */
  revisionOf(version: string): number | undefined {
    return this.#revisions.get(version);
  }

  #anew(): void {
    this.#held.clear();
    this.#words.fill(0);
    for (const { kind, namespace, name, version } of this.#catalogue.all()) {
      this.#replace(`${kind} ${namespace}/${name}`, version);
    }
  }

  #replace(key: DeliverableKey, version: string | undefined): void {
    const before = this.#held.get(key);
    if (before !== undefined) this.#mix(before);
    if (version === undefined) this.#held.delete(key);
    else {
      this.#held.set(key, version);
      this.#mix(version);
    }
  }

  /** Versions are hashes that hold the name: no two are equal, and mixing one in twice takes it out. */
  #mix(version: string): void {
    for (let at = 0; at < WORDS; at++) {
      this.#words[at] = (this.#words[at] ?? 0) ^ Number.parseInt(version.slice(at * 8, at * 8 + 8), 16);
    }
  }
}

function forgetOldest<K>(remembered: Map<K, unknown>): void {
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST) return;
    remembered.delete(oldest);
  }
}
