import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { DomainClaim, Gateway, GRPCRoute, HTTPRoute } from "@gatewright/resources";
import { watching } from "@gatewright/runtime";
import type { CacheReader, Watch } from "@gatewright/runtime";
import { wishOf } from "../claims/claim.ts";
import type { Claim } from "../claims/claim.ts";
import type { FilledGateway } from "../metrics/pool-metrics.ts";
import type { HostnameSettings } from "../settings.ts";
import { chooseGateway, refusalOf, suits } from "./choose-gateway.ts";
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

/** What was worked out about a Gateway, until something that it was worked out from changes. */
interface Memo {
  load?: GatewayLoad;
  /** What it will be, of one that is not there yet. */
  planned?: PoolGateway | undefined;
}

/**
 * What placement knows of the pool. It is worked out when it is asked for and remembered until something that it came from changes,
 * so that a placement costs the same however many hostnames there are. One for each process, made with the controller that places;
 * its watches must be among that controller's.
 */
export class PoolBook {
  readonly #settings: HostnameSettings;
  readonly #memos = new Map<string, Memo>();
  readonly #views = new WeakMap<Immutable<Gateway>, PoolGateway>();
  /** Gateways that claims have named; some are not there yet. */
  readonly #named = new Set<string>();
  /** Placements that no status tells yet: two hostnames at once do not take the same room. */
  readonly #reserved = new Map<string, { readonly gateway: string; readonly claim: Claim }>();
  /** The same by Gateway, and then by the claim's name. */
  readonly #kept = new Map<string, Map<string, Claim>>();

  constructor(settings: HostnameSettings) {
    this.#settings = settings;
  }

  /** They lead to no objects: they are there for the cache, and to notice what changes. */
  watches(): readonly Watch[] {
    const { edgeNamespace: namespace } = this.#settings;
    const noticeRoute = (route: Route): [] => {
      for (const gateway of this.#parentsOf(route)) this.#memos.delete(gateway);
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
    this.#memos.clear();
    this.#reserved.clear();
    this.#kept.clear();
  }

  /**
   * Decides where a claim goes, and keeps the room for it until its status tells. Undefined: no Gateway can be what its selector asks
   * for.
   */
  place(cached: Cached, claim: Claim): Placement | undefined {
    const placement = this.#stay(cached, claim) ?? this.#choose(cached, claim);
    this.#reserve(claim, placement?.gateway);
    return placement;
  }

  /** Who is placed already mostly stays, and that takes no look at the other Gateways. */
  #stay(cached: Cached, claim: Claim): Placement | undefined {
    const current = claim.status?.gateway;
    const wish = wishOf(claim);
    if (current === undefined || (wish.moveTo ?? current) !== current) return undefined;
    const there = cached(Gateway).get({ namespace: this.#settings.edgeNamespace, name: current });
    const gateway = there === undefined ? this.#planned(cached, current) : this.#view(there);
    return gateway !== undefined && suits(gateway, wish) ? { gateway: current, isNew: false } : undefined;
  }

  #choose(cached: Cached, claim: Claim): Placement | undefined {
    return chooseGateway({ ...this.#question(cached, claim), gateways: this.gateways(cached) });
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
    const there = cached(Gateway)
      .list({ namespace })
      .map((gateway) => this.#view(gateway));
    const names = new Set(there.map(({ name }) => name));
    const planned = [...new Set([...this.#named, ...this.#kept.keys()])].flatMap((name) =>
      names.has(name) ? [] : (this.#planned(cached, name) ?? []),
    );
    return [...there, ...planned];
  }

  #view(gateway: Immutable<Gateway>): PoolGateway {
    const view = this.#views.get(gateway) ?? poolGateway(gateway);
    this.#views.set(gateway, view);
    return view;
  }

  #planned(cached: Cached, name: string): PoolGateway | undefined {
    const memo = this.#memo(name);
    if ("planned" in memo) return memo.planned;
    const claims = this.#claims(cached, name);
    if (claims.length === 0) this.#named.delete(name);
    memo.planned = plannedGateway(name, claims);
    return memo.planned;
  }

  #memo(gateway: string): Memo {
    const memo = this.#memos.get(gateway) ?? {};
    this.#memos.set(gateway, memo);
    return memo;
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
    const memo = this.#memo(name);
    if (memo.load !== undefined) return memo.load;
    const namespace = this.#settings.edgeNamespace;
    const routes = [...cached(HTTPRoute).byIndex(BY_PARENT, name), ...cached(GRPCRoute).byIndex(BY_PARENT, name)];
    memo.load = gatewayLoad({ namespace, name }, this.#claims(cached, name), routes);
    return memo.load;
  }

  /** Those that name the Gateway, and those for which room is kept. */
  #claims(cached: Cached, gateway: string): readonly Claim[] {
    const named = cached(DomainClaim).byIndex(BY_GATEWAY, gateway);
    const kept = this.#kept.get(gateway);
    if (kept === undefined) return named;
    const names = new Set(named.map(({ metadata }) => metadata.name));
    const others = [...kept].flatMap(([name, claim]) => (names.has(name) ? [] : [claim]));
    return [...named, ...others.map((claim) => ({ ...claim, status: { conditions: [], ...claim.status, gateway } }))];
  }

  #reserve(claim: Claim, gateway: string | undefined): void {
    const name = claim.metadata.name ?? "";
    this.#release(name);
    if (gateway === undefined || gateway === claim.status?.gateway) return;
    this.#reserved.set(name, { gateway, claim });
    const kept = this.#kept.get(gateway) ?? new Map<string, Claim>();
    this.#kept.set(gateway, kept.set(name, claim));
    this.#memos.delete(gateway);
  }

  #release(name: string): void {
    const reserved = this.#reserved.get(name);
    if (reserved === undefined) return;
    const { gateway } = reserved;
    this.#reserved.delete(name);
    const kept = this.#kept.get(gateway);
    kept?.delete(name);
    if (kept?.size === 0) this.#kept.delete(gateway);
    this.#memos.delete(gateway);
  }

  /** Called with both versions of a claim that changed. Room that was kept is free again once the status tells, or nobody needs it. */
  #notice(claim: Claim): [] {
    for (const gateway of gatewaysOf(claim)) {
      this.#named.add(gateway);
      this.#memos.delete(gateway);
    }
    const name = claim.metadata.name ?? "";
    const reserved = this.#reserved.get(name);
    const told = reserved !== undefined && claim.status?.gateway !== reserved.claim.status?.gateway;
    if (told || claim.metadata.deletionTimestamp !== undefined) this.#release(name);
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
