import { create } from "@bufbuild/protobuf";
import {
  JwtAuthenticationSchema,
  ListenerSchema,
  RouteConfigurationSchema,
  TypedExtensionConfigSchema,
} from "@gatewright/gateway-wire/xds";
import type { Batch } from "../../distribution/batch.ts";
import type { Remark } from "../../distribution/connected-gateway.ts";
import type { Deliverable, DeliverableKey } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";
import { encodedResource, resourceOf } from "../resource.ts";
import type { ResourceSet } from "../resource-set.ts";
import type { Translation } from "../views.ts";
import { BackendBook } from "./backend-book.ts";
import { secretName, secretOf } from "./certificates.ts";
import { destinationsOf, mentionsOf } from "./destinations.ts";
import type { Destination, RouteKind } from "./destinations.ts";
import { BACKEND_KINDS } from "./destinations.ts";
import type { EnvoySettings } from "./envoy-settings.ts";
import { FILTERS } from "./filter-names.ts";
import { listenerMessage } from "./listeners.ts";
import { packed } from "./packed.ts";
import { PROXYLESS_ROUTES, proxylessListener } from "./proxyless.ts";
import type { Shortfall } from "./route-draft.ts";
import { translatedRoute } from "./translated-route.ts";
import type { TranslatedRoute } from "./translated-route.ts";
import { VirtualHosts } from "./virtual-hosts.ts";

interface HeldRoute {
  readonly deliverable: Deliverable;
  readonly destinations: readonly Destination[];
  /** Of the backends that its destinations are: it is made anew when that changes. */
  signature: string;
  made: TranslatedRoute;
}

/** Deliverables to Envoy's resources. A change costs what it concerns: an object, and the routes of its hosts. */
export class EnvoyTranslation implements Translation {
  readonly #settings: EnvoySettings;
  readonly #backends = new BackendBook();
  readonly #routes = new Map<DeliverableKey, HeldRoute>();
  /** Which routes mention a backend, by name or address. */
  readonly #mentioned = new Map<string, Set<DeliverableKey>>();
  readonly #hosts = new VirtualHosts();
  /** The certificates of routes, as one text. */
  #shown = "";
  #isNew = true;

  constructor(settings: EnvoySettings) {
    this.#settings = settings;
  }

  apply(batch: Batch, resources: ResourceSet, generation: number): readonly Remark[] {
    const changed = new Set<DeliverableKey>();
    const removed = batch.whole ? this.#notIn(batch.set) : batch.removed;
    const touched = new Set<string>();
    for (const deliverable of batch.set) if (isBackend(deliverable)) this.#backends.set(deliverable, touched);
    for (const deliverable of removed) if (isBackend(deliverable)) this.#backends.delete(deliverable, touched);
    for (const deliverable of batch.set)
      if (!isBackend(deliverable) && this.#serves(deliverable)) changed.add(this.#setRoute(deliverable));
    for (const deliverable of removed) if (!isBackend(deliverable)) changed.add(this.#dropRoute(deliverable));
    for (const mention of touched) for (const key of this.#mentioned.get(mention) ?? []) this.#refresh(key, changed);
    this.#backends.write(resources, generation);
    const certificates = this.#certificates();
    if (this.#isNew || certificates !== this.#shown) this.#writeListeners(resources, generation);
    this.#shown = certificates;
    if (changed.size > 0 || this.#isNew) {
      this.#writeIssuers(resources, generation);
      this.#writeRoutes(resources, generation, [...changed]);
    }
    this.#isNew = false;
    return this.#remarks();
  }

  #serves({ kind }: Deliverable): boolean {
    return this.#settings.proxyless !== true || kind === "GRPCRoute";
  }

  #notIn(set: readonly Deliverable[]): Deliverable[] {
    const keys = new Set(set.map(deliverableKey));
    const held = [...Array.from(this.#routes.values(), ({ deliverable }) => deliverable), ...this.#backends.all()];
    return held.filter((deliverable) => !keys.has(deliverableKey(deliverable)));
  }

  #setRoute(deliverable: Deliverable): DeliverableKey {
    const key = this.#dropRoute(deliverable);
    const kind = deliverable.kind as RouteKind;
    const destinations = destinationsOf(kind, deliverable.namespace, deliverable.spec);
    for (const destination of destinations) this.#backends.use(destination);
    for (const mention of destinations.flatMap(mentionsOf)) {
      const keys = this.#mentioned.get(mention);
      if (keys === undefined) this.#mentioned.set(mention, new Set([key]));
      else keys.add(key);
    }
    const signature = this.#backends.signature(destinations);
    const made = this.#translate(deliverable);
    this.#routes.set(key, { deliverable, destinations, signature, made });
    for (const row of made.rows) this.#hosts.add(row);
    return key;
  }

  #dropRoute(deliverable: Deliverable): DeliverableKey {
    const key = deliverableKey(deliverable);
    const held = this.#routes.get(key);
    if (held === undefined) return key;
    this.#routes.delete(key);
    for (const row of held.made.rows) this.#hosts.remove(row);
    for (const destination of held.destinations) this.#backends.leave(destination);
    for (const mention of held.destinations.flatMap(mentionsOf)) {
      const keys = this.#mentioned.get(mention);
      keys?.delete(key);
      if (keys?.size === 0) this.#mentioned.delete(mention);
    }
    return key;
  }

  /** Makes a route anew if its backends are others for it now. */
  #refresh(key: DeliverableKey, changed: Set<DeliverableKey>): void {
    const held = this.#routes.get(key);
    if (held === undefined) return;
    const signature = this.#backends.signature(held.destinations);
    if (signature === held.signature) return;
    for (const row of held.made.rows) this.#hosts.remove(row);
    held.signature = signature;
    held.made = this.#translate(held.deliverable);
    for (const row of held.made.rows) this.#hosts.add(row);
    changed.add(key);
  }

  #translate(deliverable: Deliverable): TranslatedRoute {
    const kind = BACKEND_KINDS[deliverable.kind as RouteKind];
    const { namespace } = deliverable;
    const traitsOf = ({ host, port }: Pick<Destination, "host" | "port">) =>
      this.#backends.traits({ kind, namespace, host, port });
    return translatedRoute(deliverable, traitsOf, this.#settings);
  }

  #certificates(): string {
    return JSON.stringify(Array.from(this.#routes.values(), ({ made }) => made.certificate).filter(Boolean));
  }

  /** Listeners, and the certificates that they show: their own first, then those of routes. */
  #writeListeners(resources: ResourceSet, generation: number): void {
    const ofRoutes = [...this.#routes].flatMap(([key, { made }]) =>
      made.certificate === undefined ? [] : [{ pair: made.certificate, keys: [key] }],
    );
    const wanted = new Set<string>();
    for (const listener of this.#settings.listeners) {
      const own = (listener.tls?.certificates ?? []).map((pair) => ({ pair, keys: [] }));
      const shown = listener.tls === undefined ? [] : [...own, ...ofRoutes];
      for (const { pair, keys } of shown) {
        const secret = secretOf(secretName(pair), pair, keys);
        wanted.add(secret.name);
        resources.of("secret").set(secret, generation);
      }
      const names = [...new Set(shown.map(({ pair }) => secretName(pair)))];
      if (listener.tls !== undefined && names.length === 0) {
        resources.of("listener").remove(listener.name, generation);
        resources.of("routes").remove(listener.name, generation);
        continue;
      }
      const message = listenerMessage(listener, names);
      resources.of("listener").set(resourceOf(ListenerSchema, listener.name, message, []), generation);
    }
    for (const { name } of resources.of("secret").live())
      if (!wanted.has(name)) resources.of("secret").remove(name, generation);
  }

  #writeRoutes(resources: ResourceSet, generation: number, keys: readonly DeliverableKey[]): void {
    if (this.#settings.proxyless === true) {
      const listeners = new Map(Array.from(this.#hosts.names(), proxylessListener).map((one) => [one.name, one]));
      for (const listener of listeners.values()) resources.of("listener").set(listener, generation);
      for (const { name } of resources.of("listener").live())
        if (!listeners.has(name)) resources.of("listener").remove(name, generation);
    }
    const named =
      this.#settings.proxyless === true ? [{ name: PROXYLESS_ROUTES, tls: undefined }] : this.#settings.listeners;
    for (const { name, tls } of named) {
      if (tls !== undefined && resources.of("listener").get(name) === undefined) continue;
      const bytes = this.#hosts.encoded(name, tls === undefined ? "plain" : "secure");
      resources.of("routes").set(encodedResource(RouteConfigurationSchema.typeName, name, bytes, keys), generation);
    }
  }

  /** The keys of all routes that demand tokens: one filter has them, which routes name their part of. */
  #writeIssuers(resources: ResourceSet, generation: number): void {
    const rules = [...this.#routes].flatMap(([key, { made }]) =>
      made.jwt === undefined ? [] : [[key, made.jwt] as const],
    );
    const typedConfig = packed(JwtAuthenticationSchema, {
      providers: Object.fromEntries(rules.map(([key, { provider }]) => [key, provider])),
      requirementMap: Object.fromEntries(rules.map(([key, { requirement }]) => [key, requirement])),
    });
    const keys = rules.map(([key]) => key);
    const config = create(TypedExtensionConfigSchema, { name: FILTERS.jwt, typedConfig });
    resources.of("extension").set(resourceOf(TypedExtensionConfigSchema, FILTERS.jwt, config, keys), generation);
  }

  #remarks(): readonly Remark[] {
    const remarks: Remark[] = [];
    const say = (deliverable: Deliverable, shortfalls: readonly Shortfall[]): void => {
      const key = deliverableKey(deliverable);
      for (const { field, message, refused = false } of shortfalls)
        remarks.push({ key, version: deliverable.version, refused, field, message });
    };
    for (const { deliverable, made } of this.#routes.values()) say(deliverable, made.shortfalls);
    for (const { deliverable, shortfalls } of this.#backends.translated()) say(deliverable, shortfalls);
    return remarks;
  }
}

function isBackend({ kind }: Deliverable): boolean {
  return kind === "Backend" || kind === "GRPCBackend" || kind === "GraphQLBackend";
}
