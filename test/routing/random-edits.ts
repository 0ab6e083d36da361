import { StatusError } from "@gatewright/kube";
import type { Resource } from "@gatewright/kube";
import { core, discovery } from "@gatewright/kube/api";
import type { Random } from "@gatewright/ports";
import { APIRoute, Backend } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import type { NamedBackend } from "./named-backend.ts";

/** What edits are made with. `left` and `right` both live all the time; `other` must never answer for a steady route. */
export interface EditedBackends {
  readonly left: NamedBackend;
  readonly right: NamedBackend;
  readonly other: NamedBackend;
}

const NAMESPACE = "shop";
const OTHERS = 30;
const at = (name: string) => ({ namespace: NAMESPACE, name });
const host = ({ port }: NamedBackend) => ({ address: "127.0.0.1", port });
const match = (path: string) => [{ uri: { prefix: path } }];
const to = (name: string, port = 80) => ({ destination: { host: name, port } });

/**
 * Edits as users make them, at random. Some routes lead somewhere good before each edit and after it, and are edited so that no moment
 * between two writes is bad: what a request to them gets must be good at any time.
 */
export class RandomEdits {
  /** Where requests must always be answered by `left` or `right`. */
  readonly steady: readonly string[] = ["/weighted", "/swapped", "/renamed", "/service", "/direct", "/plain"];
  readonly #client: Client;
  readonly #random: Random;
  readonly #backends: EditedBackends;
  readonly #others = new Set<number>();
  #count = 0;
  #renamed = 0;
  #slice: "left" | "right" = "left";

  constructor(client: Client, random: Random, backends: EditedBackends) {
    this.#client = client;
    this.#random = random;
    this.#backends = backends;
  }

  async begin(): Promise<void> {
    const { left, right, other } = this.#backends;
    await this.#client.for(core.Namespace).apply({ metadata: { name: NAMESPACE } });
    for (const [name, one] of Object.entries({ left, right, other, "renamed-0": left }))
      await this.#apply(Backend, name, { hosts: [host(one)] });
    await this.#apply(core.Service, "web", { ports: [{ port: 80 }] });
    await this.#slices("left");
    await this.#route("weighted", { route: [to("left"), to("right")] });
    await this.#route("swapped", { route: [to("left")] });
    await this.#route("renamed", { route: [to("renamed-0")] });
    await this.#route("service", { route: [to("web")] });
    await this.#route("direct", { route: [to("127.0.0.1", left.port)] });
    await this.#route("plain", { route: [to("left")] });
  }

  /** One edit: a write, or some that belong together. */
  async one(): Promise<void> {
    this.#count++;
    const edits = [
      () => this.#editOther(),
      () => this.#editOther(),
      () => this.#weigh(),
      () => this.#swap(),
      () => this.#rename(),
      () => this.#moveEndpoints(),
      () => this.#redirectBackend(),
      () => this.#tune(),
      () => this.#label(),
      () => this.#changeBackend(),
    ];
    await edits[this.#below(edits.length)]?.();
  }

  /** Others come, change and go; some want what is another's already. */
  async #editOther(): Promise<void> {
    const number = this.#below(OTHERS);
    if (this.#others.has(number) && this.#below(2) === 0) {
      await this.#persist(() => this.#client.for(APIRoute).delete(at(`other-${number}`)));
      this.#others.delete(number);
      return;
    }
    const spec = { match: match(`/other/${number}`), route: [to("other")], timeout: `${1 + this.#below(60)}s` };
    await this.#apply(APIRoute, `other-${number}`, spec);
    this.#others.add(number);
  }

  async #weigh(): Promise<void> {
    const weight = this.#below(101);
    const route = [
      { ...to("left"), weight },
      { ...to("right"), weight: 100 - weight },
    ];
    await this.#route("weighted", { route });
  }

  async #swap(): Promise<void> {
    await this.#route("swapped", { route: [to(this.#below(2) === 0 ? "left" : "right")] });
  }

  /** A backend gets another name: the new one, then the route, then the old one goes; nobody waits in between. */
  async #rename(): Promise<void> {
    const before = `renamed-${this.#renamed}`;
    const after = `renamed-${++this.#renamed}`;
    await this.#apply(Backend, after, { hosts: [host(this.#either())] });
    await this.#route("renamed", { route: [to(after)] });
    await this.#persist(() => this.#client.for(Backend).delete(at(before)));
  }

  /** Endpoints of a Service: the new slice comes, then the old one goes. */
  async #moveEndpoints(): Promise<void> {
    const before = this.#slice;
    this.#slice = before === "left" ? "right" : "left";
    await this.#slices(this.#slice);
    await this.#persist(() => this.#client.for(discovery.EndpointSlice).delete(at(`web-${before}`)));
  }

  async #redirectBackend(): Promise<void> {
    await this.#route("direct", { route: [to("127.0.0.1", this.#either().port)] });
  }

  /** What requests do not see. */
  async #tune(): Promise<void> {
    await this.#route("plain", {
      route: [to("left")],
      timeout: `${10 + this.#below(50)}s`,
      retries: { attempts: 1 + this.#below(3), retryOn: "connect-failure" },
      headers: { request: { set: { "x-edit": String(this.#count) } } },
    });
  }

  async #label(): Promise<void> {
    const name = (this.steady[this.#below(this.steady.length)] ?? "").slice(1);
    const labels = { turn: String(this.#count) };
    await this.#persist(() => this.#client.for(APIRoute).patch(at(name), { merge: { metadata: { labels } } }));
  }

  /** The same hosts in another order, and limits far away. */
  async #changeBackend(): Promise<void> {
    const { left, right } = this.#backends;
    const hosts = this.#below(2) === 0 ? [host(left), host(right)] : [host(right), host(left)];
    const circuitBreaker = { enabled: true, threshold: 50 + this.#below(50), timeout: "1s" };
    await this.#apply(Backend, "right", { hosts, circuitBreaker });
  }

  async #route(name: string, spec: object): Promise<void> {
    await this.#apply(APIRoute, name, { match: match(`/${name}`), ...spec });
  }

  async #slices(which: "left" | "right"): Promise<void> {
    const body = {
      metadata: { ...at(`web-${which}`), labels: { "kubernetes.io/service-name": "web" } },
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.1.0.1"], conditions: { ready: true } }],
      ports: [{ name: "", port: this.#backends[which].port, protocol: "TCP" }],
    };
    await this.#persist(() => this.#client.for(discovery.EndpointSlice).apply(body));
  }

  async #apply(resource: Resource, name: string, spec: object): Promise<void> {
    await this.#persist(() => this.#client.for(resource).apply({ metadata: at(name), spec } as never));
  }

  /** While an operator starts nobody can be asked whether an object is good, and nothing is stored. */
  async #persist(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (!(error instanceof StatusError) || error.code < 500) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  #either(): NamedBackend {
    return this.#below(2) === 0 ? this.#backends.left : this.#backends.right;
  }

  #below(limit: number): number {
    const [high = 0, low = 0] = this.#random.bytes(2);
    return ((high << 8) | low) % limit;
  }
}
