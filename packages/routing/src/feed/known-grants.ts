import type { Immutable } from "@gatewright/kube";
import { StatusError } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { sleep } from "@gatewright/ports";
import { ReferenceGrant } from "@gatewright/resources";
import type { Cache, Client, Informer, Log } from "@gatewright/runtime";
import type { Dependency } from "./surroundings.ts";
import { dependencyOn } from "./surroundings.ts";

export interface KnownGrantsOptions {
  readonly cache: Cache;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
}

const AGAIN_MS = 2000;
/** The Gateway API may be installed later. */
const ABSENT_MS = 60_000;

/**
 * ReferenceGrants, in clusters that have the kind. One that has not is not watched for it, since such a watch never comes up; there
 * nobody grants anything.
 */
export class KnownGrants {
  readonly #options: KnownGrantsOptions;
  #informer: Informer<ReferenceGrant> | undefined;
  #isAbsent = false;

  constructor(options: KnownGrantsOptions) {
    this.#options = options;
  }

  /** Undefined: nobody knows yet. */
  of(namespace: string): readonly Immutable<ReferenceGrant>[] | undefined {
    if (this.#informer?.synced === true) return this.#informer.list({ namespace });
    return this.#isAbsent ? [] : undefined;
  }

  /** What is watched for it, once it is. */
  get kinds(): readonly { readonly resource: typeof ReferenceGrant }[] {
    return this.#informer === undefined ? [] : [{ resource: ReferenceGrant }];
  }

  /** Finds out, and follows until the signal aborts. `learnt`: all that asked before should ask again. */
  async run(changed: (dependency: Dependency) => void, learnt: () => void, signal: AbortSignal): Promise<void> {
    while (!(await this.#isServed(signal))) {
      if (signal.aborted) return;
      if (this.#isAbsent) learnt();
      await sleep(this.#options.clock, this.#isAbsent ? ABSENT_MS : AGAIN_MS, signal);
    }
    this.#informer ??= this.#options.cache.informer(ReferenceGrant);
    await this.#informer.whenSynced(signal);
    learnt();
    const stop = this.#informer.subscribe(({ object }) =>
      changed(dependencyOn("ReferenceGrant", object.metadata.namespace ?? "")),
    );
    signal.addEventListener("abort", stop, { once: true });
  }

  async #isServed(signal: AbortSignal): Promise<boolean> {
    const { client, log } = this.#options;
    try {
      await client.for(ReferenceGrant).list({ namespace: "default", signal });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.#isAbsent = error instanceof StatusError && error.code === 404;
      if (this.#isAbsent) return false;
      log.warn("cannot find out whether there are ReferenceGrants; trying again", { error });
      return false;
    }
  }
}
