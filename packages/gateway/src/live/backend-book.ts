import type { Backend, BackendState, Endpoint, NoEndpoint } from "../backends/backend.ts";
import type { Call } from "../pipeline/call.ts";

/** Where a route sends to, as its object says it. */
export interface Destination {
  /** The namespace of the route. */
  readonly namespace: string;
  /** The name of a backend (`hello`, `other/hello`), or a host. */
  readonly host: string;
  readonly port: number;
  /** Which kinds of backends are looked for by name. */
  readonly kinds: readonly ("Backend" | "GRPCBackend" | "GraphQLBackend")[];
}

/** Gives the backend for a destination; the same one for the same words. */
export type Resolve = (destination: Destination) => Backend;

/**
 * Backends as routes hold them: by what routes say, not by what is there. A backend that comes, changes or goes reaches all routes
 * to it at once, and no route is compiled again for it.
 */
export class BackendBook {
  readonly #resolve: Resolve;
  readonly #handles = new Map<string, Handle>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /** The backend for this destination, now and later. `forget` when its route goes. */
  handle(destination: Destination): Handle {
    const { namespace, host, port, kinds } = destination;
    const key = JSON.stringify([namespace, host, port, kinds]);
    let handle = this.#handles.get(key);
    if (handle === undefined) {
      handle = new Handle(destination, this.#resolve(destination), () => this.#handles.delete(key));
      this.#handles.set(key, handle);
    }
    handle.users++;
    return handle;
  }

  /** Backends have changed: looks up what every destination leads to now. */
  refresh(): void {
    for (const handle of this.#handles.values()) handle.current = this.#resolve(handle.destination);
  }
}

/** A destination's backend of the moment. */
export class Handle implements Backend {
  readonly destination: Destination;
  current: Backend;
  users = 0;
  readonly #remove: () => void;

  constructor(destination: Destination, current: Backend, remove: () => void) {
    this.destination = destination;
    this.current = current;
    this.#remove = remove;
  }

  get id(): string {
    return this.current.id;
  }

  get authority(): string | undefined {
    return this.current.authority;
  }

  pick(call: Call, tried: ReadonlySet<Endpoint>): Endpoint | NoEndpoint {
    return this.current.pick(call, tried);
  }

  describe(): BackendState {
    return this.current.describe();
  }

  forget(): void {
    this.users--;
    if (this.users === 0) this.#remove();
  }
}
