import type { Immutable } from "@gatewright/kube";
import { ConnectedGateway } from "@gatewright/resources";
import type { Cache, CacheChange, Informer } from "@gatewright/runtime";
import type { GatewayIdentity, Selection, Standing } from "../../distribution/connected-gateway.ts";
import type { Catalogue } from "../../model/catalogue.ts";
import type { Deliverable, DeliverableKey } from "../../model/deliverable.ts";
import type { GatewayStanding, GatewayStandings } from "../gateway-standing.ts";
import { together } from "../gateway-standing.ts";
import type { SetVersions } from "./set-versions.ts";

export interface RemoteOptions {
  readonly cache: Cache;
  readonly catalogue: Pick<Catalogue, "get" | "since" | "subscribe">;
  readonly versions: SetVersions;
  /** Default: every gateway gets all of the namespaces that it asks for. */
  readonly selection?: Selection;
  readonly namespace: string;
  readonly replica: string;
}

type Told = Immutable<ConnectedGateway>;
type Changed = ReadonlySet<DeliverableKey> | "all";

/** What is known of a gateway that is connected elsewhere. */
interface Remote {
  record: Told;
  readonly identity: GatewayIdentity;
  /** It has all up to this revision of this process. It never goes back, whatever is told that is not known here. */
  revision: number;
}

/** How gateways stand that are connected to other replicas, by what those tell. What they do not tell counts as not applied. */
export class RemoteStandings implements GatewayStandings {
  readonly #options: RemoteOptions;
  readonly #informer: Informer<ConnectedGateway>;
  readonly #gateways = new Map<string, Remote>();
  /** Those that have something which was not here when it was told. */
  readonly #ahead = new Set<Remote>();
  readonly #listeners = new Set<(changed: Changed) => void>();
  #stop: (() => void) | undefined;

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#informer = options.cache.informer(ConnectedGateway, { namespace: options.namespace });
  }

  of(keys: readonly DeliverableKey[]): readonly GatewayStanding[] {
    const { catalogue, selection = () => true } = this.#options;
    const entries = keys.flatMap((key) => ({ key, entry: catalogue.get(key) }));
    const found: GatewayStanding[] = [];
    for (const remote of this.#gateways.values()) {
      const standings = entries.flatMap(({ key, entry }) =>
        entry !== undefined && isFor(remote.identity, entry.deliverable, selection)
          ? [standingOf(remote, key, entry.deliverable, entry.revision)]
          : [],
      );
      if (standings.length > 0) found.push(together(remote.identity, standings));
    }
    return found;
  }

  subscribe(listener: (changed: Changed) => void): () => void {
    this.#listeners.add(listener);
    this.#stop ??= this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  #follow(): () => void {
    const { catalogue } = this.#options;
    const stops = [
      this.#informer.subscribe((change) => this.#hear(change)),
      catalogue.subscribe(() => {
        for (const remote of this.#ahead) this.#advance(remote);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      this.#gateways.clear();
      this.#ahead.clear();
    };
  }

  #hear(change: CacheChange<ConnectedGateway>): void {
    const { object } = change;
    if (object.spec.replica === this.#options.replica || change.type === "resynced") return;
    const { name = "" } = object.metadata;
    const known = this.#gateways.get(name);
    if (change.type === "deleted") {
      this.#gateways.delete(name);
      if (known !== undefined) this.#ahead.delete(known);
      this.#tell("all");
      return;
    }
    const remote = known ?? { record: object, identity: identityOf(object), revision: 0 };
    this.#gateways.set(name, remote);
    const before = remote.record;
    remote.record = object;
    this.#advance(remote);
    if (known === undefined || saysOf(before) !== saysOf(object)) this.#tell("all");
  }

  /** Brings what a gateway has to this process's numbers, and tells what is news by that. */
  #advance(remote: Remote): void {
    const { catalogue, versions } = this.#options;
    const revision = versions.revisionOf(remote.record.spec.configuration);
    if (revision === undefined) {
      this.#ahead.add(remote);
      return;
    }
    this.#ahead.delete(remote);
    if (revision <= remote.revision) return;
    const changes = catalogue.since(remote.revision);
    remote.revision = revision;
    this.#tell(changes === undefined ? "all" : new Set(changes.map(({ key }) => key)));
  }

  #tell(changed: Changed): void {
    if (changed !== "all" && changed.size === 0) return;
    for (const listener of this.#listeners) listener(changed);
  }
}

function standingOf(
  { record, revision: has }: Remote,
  key: string,
  deliverable: Deliverable,
  revision: number,
): Standing {
  const { spec } = record;
  const said = (spec.refusals ?? []).filter(({ object, version }) => object === key && version === deliverable.version);
  if (said.length > 0) {
    const remarks = said.map(({ version, field, message }) => ({ key, version, refused: true, field, message }));
    return { state: "refused", remarks };
  }
  // Refusals that are not listed may be about this one.
  const isListed = spec.refused <= (spec.refusals?.length ?? 0);
  const isApplied = revision <= has && isListed && (spec.problem ?? "") === "";
  return isApplied ? { state: "applied", since: Date.parse(spec.connectedAt), remarks: [] } : { state: "pending" };
}

/** What is said of single objects, or of all of them. */
function saysOf({ spec }: Told): string {
  return JSON.stringify([spec.refused, spec.refusals, spec.problem]);
}

function identityOf({ spec: { gateway } }: Told): GatewayIdentity {
  const { namespace, name, version, podName, labels = {}, namespaces = [] } = gateway;
  return {
    namespace,
    name,
    version,
    dialect: gateway.dialect as GatewayIdentity["dialect"],
    door: gateway.door as GatewayIdentity["door"],
    labels,
    namespaces,
    ...(podName !== undefined && { podName }),
  };
}

function isFor(gateway: GatewayIdentity, deliverable: Deliverable, selection: Selection): boolean {
  const { namespaces } = gateway;
  return (namespaces.length === 0 || namespaces.includes(deliverable.namespace)) && selection(gateway, deliverable);
}
