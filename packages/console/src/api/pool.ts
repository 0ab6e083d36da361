import type { Json } from "@gatewright/kube";
import { poolFill } from "@gatewright/hostnames";
import { DomainClaim, Gateway, GRPCRoute, HTTPRoute } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { jsonAnswer } from "@gatewright/runtime/serving";
import type { HttpAnswer, HttpQuestion } from "@gatewright/runtime/serving";
import { listReader } from "./read-lists.ts";

/** How full each load balancer of the pool is, by what the caller may read; and what they may not, which is not counted. */
export async function pool({ signal }: HttpQuestion, client: Client): Promise<HttpAnswer> {
  const reader = listReader(client, signal);
  const [gateways, claims, http, grpc] = await Promise.all([
    reader.list(Gateway),
    reader.list(DomainClaim),
    reader.list(HTTPRoute),
    reader.list(GRPCRoute),
  ]);
  const fills = gateways.flatMap((gateway) => {
    const limits = poolFill(gateway, claims, [...http, ...grpc]);
    const { namespace = "", name = "" } = gateway.metadata;
    return limits === undefined ? [] : [{ namespace, name, limits }];
  });
  return jsonAnswer(200, { gateways: fills, unread: reader.unread } as unknown as Json);
}
