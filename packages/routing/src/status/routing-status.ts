import type { ApiObject } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { ControllerDefinition, Log, Manager, Runnable } from "@gatewright/runtime";
import type { Connections, Selection } from "../distribution/connected-gateway.ts";
import type { Feed } from "../feed/feed.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { joinedStandings, localStandings } from "./gateway-standing.ts";
import type { GatewayStandings } from "./gateway-standing.ts";
import { objectStatuses } from "./object-statuses.ts";
import { forgetDeadReplicas } from "./shared/forget-dead-replicas.ts";
import { RemoteStandings } from "./shared/remote-standings.ts";
import { SetVersions } from "./shared/set-versions.ts";
import { shareConnections } from "./shared/share-connections.ts";

export interface RoutingStatusOptions {
  readonly manager: Pick<Manager, "cache" | "client" | "ungated" | "gate">;
  readonly feed: Feed;
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  /** The same as the connections have. */
  readonly selection?: Selection;
  readonly clock: Clock;
  readonly log: Log;
  /** The operator's own namespace: what replicas tell each other is kept there. */
  readonly namespace: string;
  /** Names this process among the replicas: the pod's name. */
  readonly replica: string;
}

/** What tells users and other replicas how gateways stand. All of it belongs into one manager. */
export interface RoutingStatus {
  readonly controllers: readonly ControllerDefinition<ApiObject>[];
  readonly runnables: readonly Runnable[];
  /** Of all gateways, wherever they are connected: complete while this process leads. */
  readonly gateways: GatewayStandings;
}

/** Puts the parts together. No call is made before a manager runs them. */
export function routingStatus(options: RoutingStatusOptions): RoutingStatus {
  const { manager, feed, catalogue, connections, clock, log, namespace, replica } = options;
  const { cache, client, ungated, gate } = manager;
  const versions = SetVersions.of(catalogue);
  const selection = options.selection === undefined ? {} : { selection: options.selection };
  const remote = new RemoteStandings({ cache, catalogue, versions, namespace, replica, ...selection });
  const gateways = joinedStandings(localStandings(connections), remote);
  const isLeading = (): boolean => gate.validUntil() > clock.monotonic();
  return {
    controllers: objectStatuses({ feed, catalogue, gateways, clock }),
    runnables: [
      shareConnections({
        connections,
        catalogue,
        versions,
        client: ungated,
        clock,
        log,
        namespace,
        replica,
        isLeading,
      }),
      forgetDeadReplicas({ cache, client, clock, log, namespace }),
    ],
    gateways,
  };
}
