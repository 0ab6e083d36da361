import { rowOf } from "@gatewright/explain";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { KindNews } from "./follow-kind.ts";

/** How long a client should wait before it connects again. */
export const HEAD = Buffer.from("retry: 1000\n\n");
export const HEARTBEAT = Buffer.from(": still here\n\n");
/** The caller's credentials are no longer good: there is no use in coming back with them. */
export const SIGNED_OUT = framed("signed-out", {});

/** Objects in one frame of a snapshot. */
const CHUNK = 200;

/** The frames of a piece of news. A long snapshot is several, of which all but the last say `more`. */
export function* framesOf(kind: string, news: KindNews, now: number): Generator<Buffer> {
  switch (news.type) {
    case "snapshot": {
      const { objects, version } = news;
      for (let at = 0; at === 0 || at < objects.length; at += CHUNK) {
        const items = objects.slice(at, at + CHUNK).map((object) => shown(object, now));
        yield framed("snapshot", { kind, items, version, first: at === 0, more: at + CHUNK < objects.length });
      }
      return;
    }
    case "change":
      yield framed("change", { kind, change: news.change, item: shown(news.object, now) });
      return;
    case "position":
      yield framed("position", { kind, version: news.version });
      return;
    case "standing":
      yield framed("standing", { kind, standing: news.standing, message: news.message });
  }
}

/** An object, and how it is. Who owns which field is more than half of many objects, and the page does not show it. */
function shown(object: Immutable<ApiObject>, now: number): unknown {
  const { managedFields: _, ...metadata } = object.metadata;
  if (!TOLD.has(object.kind)) return { object: { ...object, metadata } };
  const { state, reason, message, detail, since } = rowOf(object, now);
  return { object: { ...object, metadata }, row: { state, reason, message, detail, since } };
}

/** Kinds whose state is more than whether they are there. */
const TOLD: ReadonlySet<string> = new Set([
  "APIRoute",
  "AWSProvider",
  "Application",
  "Backend",
  "ConnectedGateway",
  "DomainClaim",
  "DynamoDBTable",
  "EC2Instance",
  "ECRRepository",
  "GRPCBackend",
  "GRPCRoute",
  "Gateway",
  "GatewayHostnameRequest",
  "GraphQLBackend",
  "GraphQLRoute",
  "HTTPRoute",
  "IAMRole",
  "Ingress",
  "RDSInstance",
  "S3Bucket",
  "SNSTopic",
  "SQSQueue",
  "SecretsManagerSecret",
]);

/** JSON has no line ends of its own, so the data is one line. */
function framed(event: string, data: unknown): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
