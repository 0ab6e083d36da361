import type { Backend, BackendState, Endpoint, NoEndpoint } from "../backends/backend.ts";
import type { ObjectKind } from "../configuration/objects.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";

export type BackendKind = Extract<ObjectKind, `${string}Backend`>;

/** Where a route sends to, as its object says it. */
export interface Destination {
  /** The namespace of the route. */
  readonly namespace: string;
  /** The name of a backend (`hello`, `other/hello`), the address of its only host, or any host. */
  readonly host: string;
  readonly port: number;
  /** Which kind of backends is looked for, by name and by address. */
  readonly kind: BackendKind;
}

/** A backend that an object describes. */
export interface ListedBackend {
  readonly kind: BackendKind;
  readonly namespace: string;
  readonly name: string;
  /** `10.0.0.7:8080`, as it is written, of its only host. Undefined: it has several, and stands for none of them. */
  readonly address: string | undefined;
  readonly backend: Backend;
}

/** A backend that no object describes, and how to let go of it. */
export interface DialledBackend {
  readonly backend: Backend;
  release(): () => void;
}

/**
 * Backends as routes hold them: by what routes say, not by what is there. A backend that comes, changes or goes reaches all routes
 * to it at once, and no route is compiled again for it. What no object describes is dialled as it is written.
 */
export class BackendBook {
  readonly #dial: (destination: Destination) => DialledBackend;
  readonly #listed = new Map<string, ListedBackend>();
  /** By their names, so that it does not depend on who came first which one it is. */
  readonly #byAddress = new Map<string, ListedBackend[]>();
  readonly #handles = new Map<string, BackendHandle>();

  constructor(dial: (destination: Destination) => DialledBackend) {
    this.#dial = dial;
  }

  /** The backend for this destination, now and later. Each is to be given back. */
  handle(destination: Destination): BackendHandle {
    const { namespace, host, port, kind } = destination;
    const key = JSON.stringify([kind, namespace, host, port]);
    let handle = this.#handles.get(key);
    if (handle === undefined) {
      handle = new BackendHandle(destination, this.#dial);
      handle.follow(this.#find(destination));
      this.#handles.set(key, handle);
    }
    handle.users++;
    return handle;
  }

  /** Gives a handle back. What is returned ends what nobody needs then. */
  forget(handle: BackendHandle): () => void {
    handle.users--;
    if (handle.users > 0) return () => {};
    const { namespace, host, port, kind } = handle.destination;
    this.#handles.delete(JSON.stringify([kind, namespace, host, port]));
    return handle.letGo();
  }

  list(listed: ListedBackend): void {
    this.unlist(listed);
    this.#listed.set(nameOf(listed), listed);
    const key = addressKey(listed);
    if (key === undefined) return;
    const all = [...(this.#byAddress.get(key) ?? []), listed];
    this.#byAddress.set(
      key,
      all.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }

  unlist(named: Pick<ListedBackend, "kind" | "namespace" | "name">): void {
    const known = this.#listed.get(nameOf(named));
    if (known === undefined) return;
    this.#listed.delete(nameOf(named));
    const key = addressKey(known);
    if (key === undefined) return;
    const others = (this.#byAddress.get(key) ?? []).filter((one) => one !== known);
    if (others.length === 0) this.#byAddress.delete(key);
    else this.#byAddress.set(key, others);
  }

  /** Backends have changed: every destination leads to what it says now. */
  refresh(): void {
    for (const handle of this.#handles.values()) handle.follow(this.#find(handle.destination));
  }

  /** Everything that requests are sent to, described or not. */
  describe(): BackendState[] {
    const dialled = [...this.#handles.values()].flatMap((handle) => (handle.isDialled ? [handle.describe()] : []));
    return [...Array.from(this.#listed.values(), ({ backend }) => backend.describe()), ...dialled];
  }

  #find({ namespace, host, port, kind }: Destination): Backend | undefined {
    const slash = host.indexOf("/");
    const named =
      slash === -1
        ? this.#listed.get(`${kind} ${namespace}/${host}`)
        : this.#listed.get(`${kind} ${host.slice(0, slash)}/${host.slice(slash + 1)}`);
    return (named ?? this.#byAddress.get(`${kind} ${namespace} ${host}:${port}`)?.[0])?.backend;
  }
}

const NONE: readonly Filter[] = [];

/** A destination's backend of the moment. */
export class BackendHandle implements Backend {
  readonly destination: Destination;
  users = 0;
  readonly #dial: (destination: Destination) => DialledBackend;
  #listed: Backend | undefined;
  #dialled: DialledBackend | undefined;

  constructor(destination: Destination, dial: (destination: Destination) => DialledBackend) {
    this.destination = destination;
    this.#dial = dial;
  }

  /** Leads to this one; undefined: to the address itself, which is kept from then on. */
  follow(listed: Backend | undefined): void {
    this.#listed = listed;
  }

  get isDialled(): boolean {
    return this.#listed === undefined;
  }

  get id(): string {
    return this.#current().id;
  }

  get authority(): string | undefined {
    return this.#current().authority;
  }

  get filters(): readonly Filter[] {
    return this.#current().filters ?? NONE;
  }

  pick(call: Call, tried: ReadonlySet<Endpoint>): Endpoint | NoEndpoint {
    return this.#current().pick(call, tried);
  }

  describe(): BackendState {
    return this.#current().describe();
  }

  letGo(): () => void {
    return this.#dialled?.release() ?? (() => {});
  }

  #current(): Backend {
    if (this.#listed !== undefined) return this.#listed;
    this.#dialled ??= this.#dial(this.destination);
    return this.#dialled.backend;
  }
}

function nameOf({ kind, namespace, name }: Pick<ListedBackend, "kind" | "namespace" | "name">): string {
  return `${kind} ${namespace}/${name}`;
}

function addressKey({ kind, namespace, address }: ListedBackend): string | undefined {
  return address === undefined ? undefined : `${kind} ${namespace} ${address}`;
}
