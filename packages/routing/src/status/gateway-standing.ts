import type {
  Connections,
  ConnectionView,
  GatewayIdentity,
  Remark,
  Standing,
} from "../distribution/connected-gateway.ts";
import { byName } from "../distribution/gateway-order.ts";
import type { DeliverableKey } from "../model/deliverable.ts";

/** How one gateway stands to all that is delivered for an object. */
export interface GatewayStanding {
  readonly namespace: string;
  readonly name: string;
  /** Tells those of one name apart, where they say it. */
  readonly podName: string | undefined;
  readonly state: Standing["state"];
  /** Since when it has all of it, in milliseconds; 0 while it has not. */
  readonly since: number;
  readonly remarks: readonly Remark[];
}

/** How gateways stand, wherever they are connected. */
export interface GatewayStandings {
  /** Of those that should have one of these, in the order of their names. */
  of(keys: readonly DeliverableKey[]): readonly GatewayStanding[];
  /** Told when standings of these may have changed; `all`: a gateway came or went. */
  subscribe(listener: (changed: ReadonlySet<DeliverableKey> | "all") => void): () => void;
}

/** Of the gateways that are connected to this process. */
export function localStandings(connections: Pick<Connections, "standing" | "subscribe">): GatewayStandings {
  return {
    of(keys) {
      const [only] = keys;
      if (only !== undefined && keys.length === 1)
        return Array.from(connections.standing(only), ([{ gateway }, standing]) => alone(gateway, standing));
      const found = new Map<ConnectionView, Standing[]>();
      for (const key of keys) {
        for (const [view, standing] of connections.standing(key)) {
          const others = found.get(view);
          if (others === undefined) found.set(view, [standing]);
          else others.push(standing);
        }
      }
      return [...found].map(([{ gateway }, standings]) => together(gateway, standings)).toSorted(byName);
    },
    subscribe: (listener) => connections.subscribe(listener),
  };
}

type Named = Pick<GatewayIdentity, "namespace" | "name" | "podName">;
const NOTHING: readonly Remark[] = [];

/** Of one part, as of most objects: nothing is put together. A thousand gateways are asked about ten thousand objects. */
function alone({ namespace, name, podName }: Named, standing: Standing): GatewayStanding {
  const { state } = standing;
  const since = standing.state === "applied" ? standing.since : 0;
  const remarks = standing.state === "pending" ? NOTHING : standing.remarks;
  return { namespace, name, podName, state, since, remarks };
}

/** Of several parts one. A gateway that refused one thing refused; one that lacks another is not done. */
export function together(gateway: Named, standings: readonly Standing[]): GatewayStanding {
  const [only] = standings;
  if (only !== undefined && standings.length === 1) return alone(gateway, only);
  const { namespace, name, podName } = gateway;
  const remarks = standings.flatMap((standing) => (standing.state === "pending" ? [] : standing.remarks));
  const since = Math.max(0, ...standings.map((standing) => (standing.state === "applied" ? standing.since : 0)));
  const isDone = standings.every(({ state }) => state === "applied");
  const isRefused = standings.some(({ state }) => state === "refused");
  const state = isRefused ? "refused" : isDone ? "applied" : "pending";
  return { namespace, name, podName, state, since: isDone ? since : 0, remarks };
}

/** All of them; one that is here and, as another replica has it, still there, counts as it is here. */
export function joinedStandings(here: GatewayStandings, elsewhere: GatewayStandings): GatewayStandings {
  return {
    of(keys) {
      const [known, others] = [here.of(keys), elsewhere.of(keys)];
      if (others.length === 0) return known;
      const pods = new Set(known.flatMap((one) => (one.podName === undefined ? [] : [podKey(one)])));
      return [...known, ...others.filter((one) => !pods.has(podKey(one)))].toSorted(byName);
    },
    subscribe(listener) {
      const stops = [here.subscribe(listener), elsewhere.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function podKey({ namespace, name, podName }: GatewayStanding): string {
  return `${namespace}/${name}/${podName ?? ""}`;
}
