import { deepFreeze, expired, keyOf, StatusError, tooManyRequests } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey, Resource } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { Client, ResourceClient, StreamOptions, WatchEvent, WatchOptions } from "../../client/client.ts";
import { TransportError } from "../../transport/transport-error.ts";

export interface Widget extends ApiObject {
  value: number;
}

export const widgets: Resource<Widget> = {
  group: "model.test",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: false,
};

interface Entry {
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Immutable<Widget>;
}

/** Chooses what goes wrong. 0 is always that nothing does. */
export type Choose = (of: number) => number;

/** Chooses by a list of numbers, and nothing any more when that is used up: every history ends well. */
export function scripted(numbers: readonly number[]): Choose {
  let next = 0;
  return (of) => (numbers[next++] ?? 0) % of;
}

/** One kind on a server, as small as the rules of lists and watches allow, with faults by choice. */
export class ModelServer {
  version = 9;
  watchList = true;
  readonly #clock: Clock;
  #choose: Choose;
  #history: Entry[] = [];
  #compacted = 0;
  #uids = 0;
  #changed: (() => void)[] = [];
  /** Called with each version that a watch goes on from. */
  onWatch: (resourceVersion: number) => void = () => {};

  constructor(clock: Clock, choose: Choose = () => 0) {
    this.#clock = clock;
    this.#choose = choose;
  }

  /** Creates or changes an object. */
  write(name: string, labels?: Record<string, string>): Immutable<Widget> {
    const before = this.stateAt(this.version).get(name);
    const version = ++this.version;
    const object = deepFreeze({
      apiVersion: "model.test/v1",
      kind: "Widget",
      metadata: {
        name,
        uid: before?.metadata.uid ?? `uid-${++this.#uids}`,
        resourceVersion: String(version),
        ...(labels && { labels }),
      },
      value: version,
    }) as Immutable<Widget>;
    this.#record({ version, type: before === undefined ? "ADDED" : "MODIFIED", object });
    return object;
  }

  /** Deletes an object; undefined when there is none. */
  remove(name: string): Immutable<Widget> | undefined {
    const before = this.stateAt(this.version).get(name);
    if (before === undefined) return undefined;
    const version = ++this.version;
    const metadata = { ...before.metadata, resourceVersion: String(version) };
    this.#record({ version, type: "DELETED", object: { ...before, metadata } });
    return before;
  }

  /** Forgets the changes so far: who watches from before gets 410. */
  compact(): void {
    this.#compacted = this.version;
  }

  /** Nothing goes wrong from here on. */
  calm(): void {
    this.#choose = () => 0;
  }

  stateAt(version: number): Map<ObjectKey, Immutable<Widget>> {
    const state = new Map<ObjectKey, Immutable<Widget>>();
    for (const { version: at, type, object } of this.#history) {
      if (at > version) break;
      if (type === "DELETED") state.delete(keyOf(object));
      else state.set(keyOf(object), object);
    }
    return state;
  }

  /** Every state that an object was ever in, its deletion included, as `uid@version`. */
  states(): Set<string> {
    return new Set(this.#history.map(({ object }) => stateName(object)));
  }

  /** A client that can list and watch. */
  client(): Client {
    const kind: Pick<ResourceClient<Widget>, "stream" | "watch"> = {
      stream: (options, each) => this.#list(options, each),
      watch: (options = {}) => this.#watch(options),
    };
    return { for: () => kind } as unknown as Client;
  }

  async #list(
    options: StreamOptions,
    each: (object: Immutable<Widget>) => void,
  ): Promise<{ readonly resourceVersion: string }> {
    await Promise.resolve();
    const fault = this.#choose(12);
    if (fault === 1) throw new TransportError("refused", "connection refused");
    if (fault === 2) throw expired("too old");
    if (fault === 3) throw tooManyRequests("slow down", 2);
    if (fault === 4) throw tooLarge();
    if (fault === 5) throw new StatusError({ code: 500, message: "internal" });
    const at = this.#snapshot(options.resourceVersion, fault === 6);
    const objects = [...this.stateAt(at).values()];
    objects.slice(0, fault === 7 ? 1 : undefined).forEach(each);
    if (fault === 7) throw new TransportError("cut", "cut in the middle of a list");
    return { resourceVersion: String(at) };
  }

  /** The state that a list shows: the newest, or anything that the request allows; or older, from a server that lies. */
  #snapshot(asked: string | undefined, lies: boolean): number {
    if (asked === undefined) return this.version;
    const oldest = lies ? 9 : Math.max(Number(asked), 9);
    return this.version - this.#choose(Math.max(this.version - oldest, 0) + 1);
  }

  async *#watch(options: WatchOptions<Widget>): AsyncGenerator<WatchEvent<Widget>, void, undefined> {
    await Promise.resolve();
    const fault = this.#choose(10);
    if (fault === 1) throw new TransportError("refused", "connection refused");
    if (fault === 2) throw tooManyRequests("slow down", 1);
    if (fault === 3) throw new TransportError("cut", "cut before anything came");
    if (fault === 4) return;
    if (fault === 5) throw new StatusError({ code: 503, message: "unavailable" });
    let at: number;
    if (options.sendInitialEvents === true) {
      if (!this.watchList) throw new StatusError({ code: 422, reason: "Invalid", message: "no such option" });
      at = this.#snapshot(options.resourceVersion, fault === 6);
      yield* this.#initial(at);
    } else {
      at = Number(options.resourceVersion);
      if (at < this.#compacted) throw expired("too old");
      this.onWatch(at);
    }
    const sent: Entry[] = [];
    const end = this.#clock.monotonic() + (options.timeoutSeconds ?? 600) * 1000;
    while (options.signal?.aborted !== true && this.#clock.monotonic() < end) {
      const next = this.#history.find(({ version }) => version > at);
      if (next === undefined) {
        if (this.#choose(6) === 1) return;
        await this.#change(end, options.signal);
        continue;
      }
      if (at < this.#compacted && this.#choose(4) === 1) throw expired("too old");
      for await (const event of this.#deliver(next, sent, at)) yield asKnown(event, options);
      at = next.version;
      sent.push(next);
    }
  }

  /** What exists, in no order, and the mark. */
  async *#initial(at: number): AsyncGenerator<WatchEvent<Widget>, void, undefined> {
    for (const object of [...this.stateAt(at).values()].reverse()) {
      if (this.#choose(12) === 1) throw new TransportError("cut", "cut before the end of the list");
      yield { type: "ADDED", object };
    }
    yield { type: "BOOKMARK", resourceVersion: String(at), initialEventsEnd: true };
  }

  async *#deliver(
    next: Entry,
    sent: readonly Entry[],
    at: number,
  ): AsyncGenerator<WatchEvent<Widget>, void, undefined> {
    const { type, object } = next;
    const fault = this.#choose(12);
    if (fault === 1) throw new TransportError("cut", "cut between events");
    if (fault === 2) throw expired("too old");
    if (fault === 3) throw new TransportError("malformed", "half a line");
    if (fault === 4) throw new StatusError({ code: 418, message: "who knows" });
    const old = sent[this.#choose(Math.max(sent.length, 1))];
    if (fault === 5 && old !== undefined) yield { type: old.type, object: old.object };
    if (fault === 6) yield { type: "BOOKMARK", resourceVersion: String(at), initialEventsEnd: false };
    if (fault === 7) yield { type, object: { ...object, kind: "Gadget" } };
    yield { type, object };
    if (fault === 8) yield { type, object };
  }

  #record(entry: Entry): void {
    this.#history.push(entry);
    for (const wake of this.#changed.splice(0)) wake();
  }

  async #change(end: number, signal: AbortSignal | undefined): Promise<void> {
    let cancel = (): void => {};
    await new Promise<void>((resolve) => {
      this.#changed.push(resolve);
      signal?.addEventListener("abort", () => resolve(), { once: true });
      cancel = this.#clock.timer(end - this.#clock.monotonic(), resolve);
    });
    cancel();
  }
}

/** A version of an object, by its uid. */
export function stateName(object: Immutable<Widget>): string {
  return `${object.metadata.uid}@${object.metadata.resourceVersion}`;
}

function tooLarge(): StatusError {
  return new StatusError({
    code: 504,
    reason: "Timeout",
    message: "Timeout: Too large resource version: 9, current: 8",
  });
}

/** What the client does with lines that bring what it has. */
function asKnown(event: WatchEvent<Widget>, { known }: WatchOptions<Widget>): WatchEvent<Widget> {
  if (event.type === "BOOKMARK" || event.type === "DELETED") return event;
  const { resourceVersion = "", uid } = event.object.metadata;
  const object = known?.(resourceVersion);
  return object?.metadata.uid === uid && object !== undefined ? { type: event.type, object } : event;
}
