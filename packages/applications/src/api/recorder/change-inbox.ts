import type { Resource } from "@gatewright/kube";
import type { ObservedChange } from "../history/change-record.ts";
import type { EventHistory } from "../history/event-history.ts";

/** How many changes may wait for the disk before the watch is read no further. */
const MAX_WAITING = 500;

/**
 * Changes on their way from a watch into the history. While some are being written the next ones gather, so that a slow disk makes
 * larger writes and not a longer queue.
 */
export class ChangeInbox {
  readonly #history: EventHistory;
  readonly #resource: Resource;
  readonly #cluster: string;
  readonly #failed: (error: unknown) => void;
  #waiting: ObservedChange[] = [];
  #resourceVersion: string | undefined;
  #writing: Promise<void> | undefined;

  /** `failed` hears of the first write that fails; none is tried after it. */
  constructor(history: EventHistory, resource: Resource, cluster: string, failed: (error: unknown) => void) {
    this.#history = history;
    this.#resource = resource;
    this.#cluster = cluster;
    this.#failed = failed;
  }

  /** Takes a change (none: the watch only told how far it is). Resolves when there is room for the next. */
  async take(change: ObservedChange | undefined, resourceVersion: string): Promise<void> {
    if (change) this.#waiting.push(change);
    this.#resourceVersion = resourceVersion;
    this.#writing ??= this.#write();
    if (this.#waiting.length >= MAX_WAITING) await this.#writing;
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      while (this.#resourceVersion !== undefined) {
        const [changes, resourceVersion] = [this.#waiting, this.#resourceVersion];
        this.#waiting = [];
        this.#resourceVersion = undefined;
        await this.#history.record(this.#resource, changes, { cursor: { resourceVersion, cluster: this.#cluster } });
      }
      this.#writing = undefined;
    } catch (error) {
      this.#failed(error);
    }
  }
}
