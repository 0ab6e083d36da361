import { ageColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { ROUTING_GROUP } from "./routing-group.ts";

const remark = s.object({
  object: s.string({ description: "What was refused: APIRoute shop/orders." }),
  version: s.string({ description: "Which version of it." }),
  field: s.string({ description: "The field that is at fault." }),
  message: s.string({ description: "The gateway's words.", maxLength: 1024 }),
});

/**
 * A gateway that is connected to a replica of the operator. Replicas write it, so that all of them know of all gateways; nobody else
 * does, and nothing comes of editing it.
 */
export const ConnectedGateway = defineResource({
  ...ROUTING_GROUP,
  kind: "ConnectedGateway",
  shortNames: ["cgw"],
  scope: "Namespaced",
  description: "A gateway that is connected to a replica of the operator. Written by that replica alone.",
  spec: s.object({
    gateway: s.object(
      {
        namespace: s.string({ description: "Its namespace." }),
        name: s.string({ description: "Its name." }),
        podName: s.string({ description: "Its pod." }).optional(),
        version: s.string({ description: "Its version." }),
        dialect: s.string({ description: "What it understands." }),
        door: s.string({ description: "How it is connected: stream, push or xds." }),
        labels: s.map(s.string(), { description: "Its labels." }).optional(),
        namespaces: s.array(s.string(), { description: "Namespaces that it asked for. None: all." }).optional(),
      },
      { description: "Which gateway." },
    ),
    replica: s.string({ description: "The replica of the operator that it is connected to." }),
    connectedAt: s.time({ description: "Since when." }),
    configuration: s.string({ description: "Version of the whole configuration that it has acknowledged." }),
    behind: s.integer({ description: "How many objects it should have and has not acknowledged.", minimum: 0 }),
    refused: s.integer({ description: "How many objects it refused.", minimum: 0 }),
    refusals: s.array(remark, { description: "The first few that it refused.", maxItems: 32 }).optional(),
    problem: s.string({ description: "What it said without naming an object.", maxLength: 1024 }).optional(),
  }),
  columns: [
    { name: "Gateway", type: "string", path: ".spec.gateway.name", description: "Name of the gateway." },
    { name: "Dialect", type: "string", path: ".spec.gateway.dialect" },
    { name: "Behind", type: "integer", path: ".spec.behind", description: "Objects not acknowledged yet." },
    { name: "Refused", type: "integer", path: ".spec.refused", description: "Objects that it refused." },
    { name: "Replica", type: "string", path: ".spec.replica", priority: 1 },
    { name: "Connected", type: "date", path: ".spec.connectedAt", description: "Since when." },
    ageColumn,
  ],
  example: {
    apiVersion: "avapigw.io/v1alpha1",
    kind: "ConnectedGateway",
    metadata: { name: "edge.gateway-1.5d0c3f1a", namespace: "default" },
    spec: {
      gateway: { namespace: "edge", name: "gateway-1", version: "1.0.0", dialect: "gatewright", door: "stream" },
      replica: "gatewright-0",
      connectedAt: "2030-01-01T00:00:00Z",
      configuration: "0123456789abcdef0123456789abcdef",
      behind: 0,
      refused: 0,
    },
  },
});

/** {@inheritDoc ConnectedGateway} */
export type ConnectedGateway = ObjectOf<typeof ConnectedGateway>;
