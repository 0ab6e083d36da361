import { later } from "../../browser/time.ts";
import { keyOf } from "../model/kube.ts";
import type { KubeObject } from "../model/kube.ts";
import type { Standing } from "../model/state.ts";
import { Refusal, request } from "./ask.ts";
import { eventsOf } from "./event-stream.ts";
import { observable } from "./observable.ts";
import type { Observable } from "./observable.ts";

/** An object, and how it is by the server's word. */
export interface Shown {
  readonly object: KubeObject;
  readonly row?: Standing & { readonly detail: string; readonly since?: string };
}

/** What the page knows of a kind. `standing`: whether that is all, and as it is now. */
export interface KnownKind {
  readonly objects: ReadonlyMap<string, Shown>;
  readonly standing: "loading" | "live" | "forbidden" | "absent" | "interrupted";
  readonly message: string;
}

export type Connection = "connecting" | "live" | "lost" | "signed-out";

const UNKNOWN: KnownKind = { objects: new Map(), standing: "loading", message: "" };
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/**
 * All that the page follows, over one stream. A kind that somebody asks for joins it and stays; after a cut the stream goes on where
 * it was, kind by kind.
 */
export class Live {
  readonly connection: Observable<Connection> = observable<Connection>("connecting");
  /** Counts changes, whatever they are of. */
  readonly changes: Observable<number> = observable(0);
  readonly #kinds = new Map<string, Observable<KnownKind>>();
  readonly #versions = new Map<string, string>();
  readonly #parts = new Map<string, Map<string, Shown>>();
  readonly #namespace: string | undefined;
  #stream = new AbortController();
  #planned: (() => void) | undefined;
  #ended = false;

  constructor(namespace: string | undefined) {
    this.#namespace = namespace;
  }

  /** What is known of a kind, which is followed from now on. */
  kind(id: string): Observable<KnownKind> {
    let known = this.#kinds.get(id);
    if (known === undefined) {
      known = observable(UNKNOWN);
      this.#kinds.set(id, known);
      this.#planned ??= later(30, () => this.#restart());
    }
    return known;
  }

  /** Ends the stream for good. */
  close(): void {
    this.#ended = true;
    this.#planned?.();
    this.#stream.abort();
  }

  #restart(): void {
    this.#planned = undefined;
    this.#stream.abort();
    this.#stream = new AbortController();
    void this.#run(this.#stream.signal);
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted && !this.#ended;) {
      try {
        const answer = await request(this.#path(), { signal });
        failures = 0;
        this.connection.set("live");
        for await (const { event, data } of eventsOf(answer)) this.#take(event, JSON.parse(data));
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refusal && error.code === 401) this.connection.set("signed-out");
      }
      if (signal.aborted || this.connection.value === "signed-out") return;
      this.connection.set("lost");
      const wait = Math.min(FIRST_WAIT_MS * 2 ** failures++, LONGEST_WAIT_MS);
      await new Promise<void>((resolve) => later(wait, resolve));
    }
  }

  #path(): string {
    const query = new URLSearchParams();
    for (const id of this.#kinds.keys()) {
      const version = this.#versions.get(id);
      query.append("kind", version === undefined ? id : `${id}@${version}`);
    }
    if (this.#namespace !== undefined) query.set("namespace", this.#namespace);
    return `/console/api/stream?${query}`;
  }

  #take(event: string, data: Told): void {
    if (event === "signed-out") {
      this.connection.set("signed-out");
      return;
    }
    const known = this.#kinds.get(data.kind);
    if (known === undefined) return;
    switch (event) {
      case "snapshot":
        this.#takePart(known, data as ToldSnapshot);
        return;
      case "change": {
        const { change, item } = data as ToldChange;
        const objects = new Map(known.value.objects);
        if (change === "DELETED") objects.delete(keyOf(item.object));
        else objects.set(keyOf(item.object), item);
        this.#versions.set(data.kind, item.object.metadata.resourceVersion ?? "");
        this.#set(known, { ...known.value, objects });
        return;
      }
      case "position":
        this.#versions.set(data.kind, (data as ToldPosition).version);
        return;
      case "standing": {
        const { standing, message } = data as ToldStanding;
        if (standing === "forbidden" || standing === "absent") {
          this.#versions.delete(data.kind);
          this.#set(known, { objects: new Map(), standing, message });
        } else this.#set(known, { ...known.value, standing, message });
      }
    }
  }

  /** A snapshot takes the place of what was known only when it is whole: nothing flickers. */
  #takePart(known: Observable<KnownKind>, { kind, items, version, first, more }: ToldSnapshot): void {
    const objects = first ? new Map<string, Shown>() : (this.#parts.get(kind) ?? new Map<string, Shown>());
    for (const item of items) objects.set(keyOf(item.object), item);
    this.#parts.set(kind, objects);
    if (more) return;
    this.#parts.delete(kind);
    this.#versions.set(kind, version);
    this.#set(known, { objects, standing: "live", message: "" });
  }

  #set(known: Observable<KnownKind>, value: KnownKind): void {
    known.set(value);
    this.changes.set(this.changes.value + 1);
  }
}

interface Told {
  readonly kind: string;
}
interface ToldSnapshot extends Told {
  readonly items: readonly Shown[];
  readonly version: string;
  readonly first: boolean;
  readonly more: boolean;
}
interface ToldChange extends Told {
  readonly change: "ADDED" | "MODIFIED" | "DELETED";
  readonly item: Shown;
}
interface ToldPosition extends Told {
  readonly version: string;
}
interface ToldStanding extends Told {
  readonly standing: KnownKind["standing"];
  readonly message: string;
}
