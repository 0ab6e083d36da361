import { createHash } from "node:crypto";
import { formatTime } from "@gatewright/kube";
import type { ConnectedGateway } from "@gatewright/resources";
import type { ConnectionView } from "../../distribution/connected-gateway.ts";

export const REPLICA_LABEL = "avapigw.io/replica";

/** How many refusals are written of one gateway. */
const MOST_REFUSALS = 32;
const MOST_TEXT = 1024;

type Spec = ConnectedGateway["spec"];

/** What a replica writes of a gateway that is connected to it. */
export function gatewayRecord(view: ConnectionView, replica: string, configuration: string): Spec {
  const { gateway, connectedAt, behind, refused, problem } = view;
  const { namespace, name, podName, version, dialect, door, labels, namespaces } = gateway;
  const refusals = view.refusals(MOST_REFUSALS);
  return {
    gateway: {
      namespace,
      name,
      version,
      dialect,
      door,
      ...(podName !== undefined && { podName }),
      ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
      ...(namespaces.length > 0 && { namespaces: [...namespaces] }),
    },
    replica,
    connectedAt: formatTime(connectedAt),
    configuration,
    behind,
    refused,
    ...(refusals.length > 0 && {
      refusals: refusals.map(({ key, version: of, field, message }) => ({
        object: key,
        version: of,
        field,
        message: message.slice(0, MOST_TEXT),
      })),
    }),
    ...(problem !== "" && { problem: problem.slice(0, MOST_TEXT) }),
  };
}

/** A name for the record: people recognise the gateway, and no two connections share it. */
export function recordName({ id, gateway, connectedAt }: ConnectionView, replica: string): string {
  const unique = createHash("sha256").update(`${replica} ${id} ${connectedAt}`).digest("hex").slice(0, 10);
  const plain = `${gateway.namespace}.${gateway.name}`
    .toLowerCase()
    .replaceAll(/[^-.a-z0-9]/g, "-")
    .replaceAll(/(^|\.)[-.]+|[-.]+(?=\.|$)/g, "$1")
    .slice(0, 200)
    .replace(/[-.]+$/, "");
  return plain === "" ? unique : `${plain}.${unique}`;
}
