import type { Connection, Remark } from "../distribution/connected-gateway.ts";
import type { DeliverableKey } from "../model/deliverable.ts";
import type { ResourceSet } from "./resource-set.ts";
import { SENDING_ORDER } from "./resource-types.ts";
import type { ResourceType } from "./resource-types.ts";
import { refusalText } from "./refusal-text.ts";
import type { Subscription, Verdict } from "./subscription.ts";

/** What a stream is about. */
export interface AdsStreamOptions<Kind extends Subscription> {
  readonly resources: ResourceSet;
  readonly connection: Connection;
  /** The newest version of something, for remarks; undefined: it is gone. */
  readonly versionOf: (key: DeliverableKey) => string | undefined;
  readonly subscribe: (type: ResourceType) => Kind;
  /** A client of this kind asks for all routes that its listeners name; until it has, it does not have everything. */
  readonly needsRoutes: boolean;
  readonly send: (answer: Uint8Array) => void;
}

/** What stops clients from losing something that they use: clusters go after the routes to them. */
const GO_LAST: ReadonlySet<ResourceType> = new Set(["cluster", "endpoints"]);

/** Envoy says that it took a changed cluster only when it has the endpoints for it: they do not wait for that. */
const WITH_CLUSTERS: ResourceType = "endpoints";

/**
 * One client's stream: its types in the order of make before break, an answer of each on its way at a time. What changes meanwhile
 * goes with the next answer. Tells the connection what the client has.
 */
export class AdsStream<Kind extends Subscription> {
  readonly #options: AdsStreamOptions<Kind>;
  readonly #subscriptions = new Map<ResourceType, Kind>();
  /** What the client refused, by what its resources were made of. */
  readonly #refused = new Map<DeliverableKey, { readonly type: ResourceType; readonly remark: Remark }>();
  #problem: string | undefined;
  #nonce = 0;
  #told: readonly Remark[] | undefined;

  constructor(options: AdsStreamOptions<Kind>) {
    this.#options = options;
  }

  /** Takes what a client says about a type; `take` hands the request to its subscription. */
  request(type: ResourceType, take: (subscription: Kind, generation: number) => Verdict | undefined): void {
    const { resources, connection, subscribe } = this.#options;
    connection.heard();
    let subscription = this.#subscriptions.get(type);
    if (subscription === undefined) {
      subscription = subscribe(type);
      this.#subscriptions.set(type, subscription);
    }
    const verdict = take(subscription, resources.generation);
    if (verdict !== undefined) this.#judge(type, verdict);
    this.advance();
  }

  /** Sends what is due. Nothing before the first whole generation. */
  advance(): void {
    const { resources, connection, send } = this.#options;
    const { generation } = resources;
    if (generation === 0) return;
    let isOpen = true;
    for (const type of SENDING_ORDER) {
      const subscription = this.#subscriptions.get(type);
      if (subscription === undefined) continue;
      if (isOpen || subscription.isAsked || type === WITH_CLUSTERS) {
        const removalsThrough = GO_LAST.has(type) ? this.#routesThrough(generation) : generation;
        const answer = subscription.next({ generation, removalsThrough, nonce: String(this.#nonce + 1) });
        if (answer !== undefined) {
          this.#nonce++;
          send(answer);
        }
      }
      isOpen &&= !subscription.isWaiting;
    }
    if (isOpen) connection.sent(resources.revision);
    if (this.#hasAll(generation)) this.#tell();
  }

  /** Up to which generation the client has settled what refers to clusters. */
  #routesThrough(generation: number): number {
    let through = generation;
    for (const type of ["listener", "routes"] as const) {
      const subscription = this.#subscriptions.get(type);
      if (subscription !== undefined) through = Math.min(through, subscription.settledThrough);
    }
    return through;
  }

  #hasAll(generation: number): boolean {
    const { resources, needsRoutes } = this.#options;
    if (this.#subscriptions.size === 0) return false;
    for (const subscription of this.#subscriptions.values()) if (!subscription.isSettled(generation)) return false;
    if (!needsRoutes) return true;
    const routes = this.#subscriptions.get("routes");
    for (const { name } of resources.of("routes").live()) if (routes?.wants(name) !== true) return false;
    return this.#subscriptions.has("listener");
  }

  /** A refusal concerns those whose resources it names, or all that were in the answer. */
  #judge(type: ResourceType, { error, resources }: Verdict): void {
    const versionOf = this.#options.versionOf;
    if (error === undefined) {
      const keys = new Set(resources.flatMap((resource) => resource.keys));
      for (const [key, refusal] of this.#refused)
        if (refusal.type === type && (type === "routes" || keys.has(key))) this.#refused.delete(key);
      if (type === "routes" || type === "listener") this.#problem = undefined;
      return;
    }
    const named = resources.filter(({ name }) => error.includes(name));
    const about = named.length > 0 ? named : resources;
    for (const key of about.flatMap(({ keys }) => keys)) {
      const version = versionOf(key);
      if (version === undefined) continue;
      const message = `the client refused it: ${refusalText(error)}`;
      this.#refused.set(key, { type, remark: { key, version, refused: true, field: "spec", message } });
    }
    if (about.every(({ keys }) => keys.length === 0)) this.#problem = refusalText(error);
  }

  #tell(): void {
    const { resources, connection } = this.#options;
    const remarks = resources.remarks === this.#told ? [] : resources.remarks;
    this.#told = resources.remarks;
    const refused = Array.from(this.#refused.values(), ({ remark }) => remark);
    connection.acknowledged(resources.revision, [...remarks, ...refused], this.#problem);
  }
}
