import type { Random } from "@gatewright/ports";
import type { Authorizer } from "../auth/index.ts";
import type { Cluster } from "../cluster.ts";
import type { Subresource } from "../resources/resource.ts";
import { noEntry } from "./no-entry.ts";
import type { NodeAccess } from "./node-access.ts";
import { podLog } from "./pod-log.ts";
import { podPortForward } from "./pod-port-forward.ts";
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

/** The subresources by which clients reach what runs. */
export function nodeSubresources(nodes: NodeAccess, { cluster, authorizer, random }: NodeDeps): NodeSubresources {
  return {
    pods: {
      attach: noEntry("attach"),
      exec: noEntry("exec"),
      log: podLog(nodes, cluster),
      portforward: podPortForward(nodes, { cluster, authorizer }),
      proxy: podProxy(nodes, cluster),
    },
    services: { proxy: serviceProxy(nodes, cluster, random) },
  };
}
