import type { ApiObject, Resource } from "@gatewright/kube";
import { DomainClaim, Gateway, GRPCRoute, HTTPRoute } from "@gatewright/resources";
import { watching } from "@gatewright/runtime";
import type { CacheReader, Watch } from "@gatewright/runtime";
import { wishOf } from "../claims/claim.ts";
import type { Claim } from "../claims/claim.ts";
import type { FilledGateway } from "../metrics/pool-metrics.ts";
import type { HostnameSettings } from "../settings.ts";
import { chooseGateway, refusalOf } from "./choose-gateway.ts";
import type { Placement, PlacementQuestion } from "./choose-gateway.ts";
import { BY_GATEWAY, gatewaysOf } from "./claim-view.ts";
import { gatewayLoad } from "./gateway-load.ts";
import type { GatewayLoad, Route } from "./gateway-load.ts";
import { plannedGateway, poolGateway } from "./pool-gateways.ts";
import type { PoolGateway } from "./pool-gateways.ts";
import { gatewayOfListenerSet, POOL_LABEL } from "./pool-names.ts";

type Cached = <T extends ApiObject>(resource: Resource<T>) => CacheReader<T>;

const BY_PARENT = "pool-parent";
const GROUP = "gateway.networking.k8s.io";

/**
 * What placement knows of the pool. Loads are counted when they are asked for and remembered until something that they were counted
 * from changes, so that a placement costs the same however many hostnames there are. One for each process, made with the controller
 * that places; its watches must be among that controller's.
 */
export class PoolBook {
  readonly #settings: HostnameSettings;
  readonly #loads = new Map<string, GatewayLoad>();
  /** Gateways that claims have named; some are not there yet. */
  readonly #named = new Set<string>();
  /** Placements that no status tells yet: two hostnames at once do not take the same room. */
  readonly #reserved = new Map<string, { readonly gateway: string; readonly claim: Claim }>();

  constructor(settings: HostnameSettings) {
    this.#settings = settings;
  }

  /** They lead to no objects: they are there for the cache, and to notice what changes. */
  watches(): readonly Watch[] {
    const { edgeNamespace: namespace } = this.#settings;
    const noticeRoute = (route: Route): [] => {
      for (const gateway of this.#parentsOf(route)) this.#loads.delete(gateway);
      return [];
    };
    const indexes = { [BY_PARENT]: (route: Route) => this.#parentsOf(route) };
    return [
      watching(DomainClaim, { map: (claim) => this.#notice(claim), indexes: { [BY_GATEWAY]: gatewaysOf } }),
      watching(Gateway, { map: () => [], scope: { namespace } }),
      watching(HTTPRoute, { map: noticeRoute, indexes }),
      watching(GRPCRoute, { map: noticeRoute, indexes }),
    ];
  }

  /** Nothing is kept of a time in which somebody else led and nobody told what changed. */
  begin(): void {
    this.#loads.clear();
    this.#reserved.clear();
  }

  /**
   * Decides where a claim goes, and keeps the room for it until its status tells. Undefined: no Gateway can be what its selector asks
   * for.
   */
  place(cached: Cached, claim: Claim): Placement | undefined {
    const question = this.#question(cached, claim);
    const placement = chooseGateway({ ...question, gateways: this.gateways(cached) });
    this.#reserve(claim, placement?.gateway);
    return placement;
  }

  /** Why a claim cannot go to the Gateway that its wish names; undefined when it can, or names none. */
  refusal(cached: Cached, claim: Claim): string | undefined {
    const question = this.#question(cached, claim);
    const target = question.wish.moveTo;
    if (target === undefined || target === question.current) return undefined;
    const gateway = this.gateways(cached).find(({ name }) => name === target);
    return gateway === undefined ? `There is no Gateway ${target} in the pool.` : refusalOf(gateway, question);
  }

  /** All Gateways of the edge namespace, and those that claims are placed on and that are not there yet. */
  gateways(cached: Cached): readonly PoolGateway[] {
    const { edgeNamespace: namespace } = this.#settings;
    const there = cached(Gateway).list({ namespace }).map(poolGateway);
    const names = new Set(there.map(({ name }) => name));
    const reserved = Array.from(this.#reserved.values(), ({ gateway }) => gateway);
    const planned = [...new Set([...this.#named, ...reserved])].flatMap((name) => {
      if (names.has(name)) return [];
      const claims = this.#claims(cached, name);
      if (claims.length === 0) this.#named.delete(name);
      return plannedGateway(name, claims) ?? [];
    });
    return [...there, ...planned];
  }

  /** The pool's Gateways and what they carry. */
  filled(cached: Cached): readonly FilledGateway[] {
    return this.gateways(cached)
      .filter(({ labels }) => labels[POOL_LABEL] === "true")
      .map((gateway) => ({ gateway, load: this.#load(cached, gateway.name) }));
  }

  #question(cached: Cached, claim: Claim): Omit<PlacementQuestion, "gateways"> {
    return {
      hostname: claim.spec.hostname,
      wish: wishOf(claim),
      certificate: claim.status?.certificate?.arn,
      current: claim.status?.gateway,
      loads: { get: (gateway) => this.#load(cached, gateway) },
      settings: this.#settings,
    };
  }

  #load(cached: Cached, name: string): GatewayLoad {
    const known = this.#loads.get(name);
    if (known !== undefined) return known;
    const namespace = this.#settings.edgeNamespace;
    const routes = [...cached(HTTPRoute).byIndex(BY_PARENT, name), ...cached(GRPCRoute).byIndex(BY_PARENT, name)];
    const load = gatewayLoad({ namespace, name }, this.#claims(cached, name), routes);
    this.#loads.set(name, load);
    return load;
  }

  /** Those that name the Gateway, and those for which room is kept. */
  #claims(cached: Cached, gateway: string): readonly Claim[] {
    const named = cached(DomainClaim).byIndex(BY_GATEWAY, gateway);
    if (this.#reserved.size === 0) return named;
    const names = new Set(named.map(({ metadata }) => metadata.name));
    const kept = Array.from(this.#reserved.values()).filter(
      (each) => each.gateway === gateway && !names.has(each.claim.metadata.name),
    );
    return [...named, ...kept.map(({ claim }) => ({ ...claim, status: { conditions: [], ...claim.status, gateway } }))];
  }

  #reserve(claim: Claim, gateway: string | undefined): void {
    const name = claim.metadata.name ?? "";
    const before = this.#reserved.get(name);
    if (before !== undefined) this.#loads.delete(before.gateway);
    if (gateway === undefined || gateway === claim.status?.gateway) return void this.#reserved.delete(name);
    this.#reserved.set(name, { gateway, claim });
    this.#loads.delete(gateway);
  }

  /** Called with both versions of a claim that changed. Room that was kept is free again once the status tells, or nobody needs it. */
  #notice(claim: Claim): [] {
    for (const gateway of gatewaysOf(claim)) {
      this.#named.add(gateway);
      this.#loads.delete(gateway);
    }
    const name = claim.metadata.name ?? "";
    const reserved = this.#reserved.get(name);
    const told = reserved !== undefined && claim.status?.gateway !== reserved.claim.status?.gateway;
    if (reserved !== undefined && (told || claim.metadata.deletionTimestamp !== undefined)) {
      this.#reserved.delete(name);
      this.#loads.delete(reserved.gateway);
    }
    return [];
  }

  #parentsOf({ metadata, spec }: Route): readonly string[] {
    const gateways = (spec.parentRefs ?? []).flatMap(({ group, kind, namespace = metadata.namespace, name }) => {
      if (group !== GROUP || namespace !== this.#settings.edgeNamespace) return [];
      if (kind === "Gateway") return [name];
      return kind === "ListenerSet" ? (gatewayOfListenerSet(name) ?? []) : [];
    });
    return [...new Set(gateways)];
  }
}
