import type { Random } from "@gatewright/ports";
import type { Authorizer } from "../auth/index.ts";
import type { Cluster } from "../cluster.ts";
import type { Subresource } from "../resources/resource.ts";
import { noEntry } from "./no-entry.ts";
import type { NodeAccess } from "./node-access.ts";
import { podLog } from "./pod-log.ts";
import { podProxy } from "./pod-proxy.ts";
import { serviceProxy } from "./service-proxy.ts";

/** What pods and Services have when something runs them. */
export interface NodeSubresources {
  readonly pods: Readonly<Record<string, Subresource>>;
  readonly services: Readonly<Record<string, Subresource>>;
}

export interface NodeDeps {
  readonly cluster: Pick<Cluster, "get">;
  readonly authorizer: Authorizer;
  readonly random: Random;
}

export function nodeSubresources(nodes: NodeAccess, { cluster, random }: NodeDeps): NodeSubresources {
  return {
    pods: {
      attach: noEntry("attach"),
      exec: noEntry("exec"),
      log: podLog(nodes, cluster),
      proxy: podProxy(nodes, cluster),
    },
    services: { proxy: serviceProxy(nodes, cluster, random) },
  };
}
