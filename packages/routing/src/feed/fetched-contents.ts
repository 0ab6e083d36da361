import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import type { Clock } from "@gatewright/ports";
import { isMissing } from "@gatewright/runtime";
import type { Cache, Client, Informer, Log } from "@gatewright/runtime";
import type { ContentKind, Contents, Dependency } from "./surroundings.ts";
import { dependencyOn } from "./surroundings.ts";

export interface FetchedContentsOptions {
  readonly cache: Cache;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  /** What is known of one has changed. */
  readonly changed: (dependency: Dependency) => void;
}

interface Fetched {
  readonly resourceVersion: string | undefined;
  readonly contents: Contents;
}

interface Wanted {
  readonly kind: ContentKind;
  readonly namespace: string;
  readonly name: string;
}

/** Kinds with content. */
export const CONTENT_RESOURCES = { Secret: core.Secret, ConfigMap: core.ConfigMap } as const;
/** What is watched of them. */
export const CONTENT_KINDS = Object.values(CONTENT_RESOURCES).map((resource) => ({
  resource,
  scope: { metadataOnly: true },
}));
const AT_ONCE = 8;
const AGAIN_MS = 2000;

/**
 * What Secrets and ConfigMaps hold that somebody refers to, and no others: of the rest of the cluster's the metadata alone is known.
 * A failure to read one never counts as its absence.
 */
export class FetchedContents {
  readonly #options: FetchedContentsOptions;
  readonly #metadata: Readonly<Record<ContentKind, Informer<ApiObject>>>;
  readonly #fetched = new Map<Dependency, Fetched>();
  readonly #waiting = new Map<Dependency, Wanted>();
  readonly #underWay = new Set<Dependency>();
  #signal: AbortSignal | undefined;

  constructor(options: FetchedContentsOptions) {
    this.#options = options;
    const of = (resource: Resource): Informer<ApiObject> => options.cache.informer(resource, { metadataOnly: true });
    this.#metadata = { Secret: of(core.Secret), ConfigMap: of(core.ConfigMap) };
  }

  /** How many are held. */
  get size(): number {
    return this.#fetched.size;
  }

  /** Something is being read that somebody refers to. */
  get isReading(): boolean {
    return this.#waiting.size + this.#underWay.size > 0;
  }

  async whenSynced(signal: AbortSignal): Promise<void> {
    await Promise.all(Object.values(this.#metadata).map((informer) => informer.whenSynced(signal)));
  }

  /** Follows changes until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    for (const kind of ["Secret", "ConfigMap"] as const) {
      const stop = this.#metadata[kind].subscribe((change) => {
        if (change.type === "resynced") return;
        const { namespace = "", name = "" } = change.object.metadata;
        this.#options.changed(dependencyOn(kind, namespace, name));
      });
      signal.addEventListener("abort", stop, { once: true });
    }
  }

  /** What one holds, as far as it is known. Asking for it makes it be read. */
  get(kind: ContentKind, namespace: string, name: string): Contents | "missing" | "unknown" {
    const key = dependencyOn(kind, namespace, name);
    const there = this.#metadata[kind].get({ namespace, name });
    if (there === undefined) {
      this.#fetched.delete(key);
      return "missing";
    }
    const known = this.#fetched.get(key);
    if (known?.resourceVersion !== there.metadata.resourceVersion) this.#want(key, { kind, namespace, name });
    return known?.contents ?? "unknown";
  }

  /** What is known without reading anything for it. */
  peek(kind: ContentKind, namespace: string, name: string): Contents | "missing" | "unknown" {
    if (this.#metadata[kind].get({ namespace, name }) === undefined) return "missing";
    return this.#fetched.get(dependencyOn(kind, namespace, name))?.contents ?? "unknown";
  }

  /** Nobody refers to it any more. */
  forget(dependency: Dependency): void {
    this.#fetched.delete(dependency);
    this.#waiting.delete(dependency);
  }

  #want(key: Dependency, wanted: Wanted): void {
    if (this.#underWay.has(key)) return;
    this.#waiting.set(key, wanted);
    this.#next();
  }

  #next(): void {
    for (const [key, wanted] of this.#waiting) {
      if (this.#underWay.size >= AT_ONCE) return;
      this.#waiting.delete(key);
      this.#underWay.add(key);
      void this.#read(key, wanted).finally(() => {
        this.#underWay.delete(key);
        this.#next();
      });
    }
  }

  async #read(key: Dependency, { kind, namespace, name }: Wanted): Promise<void> {
    const { client, clock, log, changed } = this.#options;
    const ref = { namespace, name };
    const signal = this.#signal;
    try {
      const object = await client
        .for<ApiObject>(CONTENT_RESOURCES[kind])
        .get(ref, signal === undefined ? {} : { signal });
      const { resourceVersion } = object.metadata;
      this.#fetched.set(key, { resourceVersion, contents: contentsOf(object) });
      changed(key);
    } catch (error) {
      // Metadata will say that it is gone.
      if (isMissing(error, CONTENT_RESOURCES[kind], ref) || signal?.aborted === true) return;
      log.warn("cannot read what an object refers to; trying again", { kind, namespace, name, error });
      const stop = clock.timer(AGAIN_MS, () => changed(key));
      signal?.addEventListener("abort", stop, { once: true });
    }
  }
}

/** What a Secret or a ConfigMap holds. */
export function contentsOf(object: Immutable<ApiObject>): Contents {
  const { data = {}, binaryData = {} } = object as unknown as {
    readonly data?: Readonly<Record<string, string>>;
    readonly binaryData?: Readonly<Record<string, string>>;
  };
  const isSecret = object.kind === "Secret";
  return new Map([
    ...Object.entries(data).map(([key, text]) => [key, Buffer.from(text, isSecret ? "base64" : "utf8")] as const),
    ...Object.entries(binaryData).map(([key, text]) => [key, Buffer.from(text, "base64")] as const),
  ]);
}
