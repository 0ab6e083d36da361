import { systemClock } from "@gatewright/ports";
import { routingCluster } from "../routing/cluster.ts";
import { followedGateway } from "../routing/followed-gateway.ts";
import { hastened } from "../routing/hastened.ts";
import { startOperator } from "../routing/operator.ts";
import type { Certificates } from "./certificates.ts";
import { send } from "./client.ts";
import { listenerTls } from "./gateway-world.ts";
import { SetTime } from "./set-time.ts";
import { StoredObjects } from "./stored-objects.ts";
import type { World } from "./world.ts";

/** A world in which objects are those of a cluster. */
export interface OperatorWorld extends World {
  /** Objects of the last set that are not stored, and what was said to who wrote them. */
  readonly refused: ReadonlyMap<string, string>;
  /** Does something while objects are stored without that the operator is asked. */
  unasked(work: () => Promise<void>): Promise<void>;
}

/** Statuses gather edits for a moment, which hundreds of cases would only wait for. */
const HASTE = 10;

/**
 * The operator between an API server and our gateway, which follows it over mTLS. Objects are written as users write them: admission is
 * asked, and a set is there when its statuses say so. The server's clock is put to the time at which each object is to be created.
 */
export async function operatorWorld(certificates: Certificates, signal: AbortSignal): Promise<OperatorWorld> {
  const time = new SetTime();
  const cluster = await routingCluster(time);
  const operator = await startOperator({ transport: cluster.transport, clock: hastened(systemClock, HASTE) });
  const gateway = await followedGateway(
    () => operator,
    [
      { name: "http", address: "127.0.0.1", port: 0 },
      { name: "https", address: "127.0.0.1", port: 0, protocol: "HTTPS", tls: listenerTls(certificates) },
    ],
    signal,
    [certificates.directory],
  );
  const plain = gateway.running.listeners.find(({ isTls }) => !isTls);
  const secure = gateway.running.listeners.find(({ isTls }) => isTls);
  if (plain === undefined || secure === undefined) throw new Error(`the gateway does not listen: ${gateway.faults[0]}`);
  const doors = { plain, secure, certificates };
  const written = new StoredObjects(cluster, operator, time);
  return {
    name: "our gateway behind the operator",
    refused: written.refused,
    unasked: (work) => operator.unasked(work),
    apply: (objects, until) => written.become(objects, until),
    async request(request, until) {
      const answer = await send(doors, request, until);
      const [fault] = gateway.faults.splice(0);
      if (fault !== undefined) throw new Error(`a fault of the gateway: ${fault}`);
      return answer;
    },
    async close() {
      await gateway.close();
      await operator.stop();
      await cluster.close();
    },
  };
}
