import type { Immutable } from "@gatewright/kube";
import type { ConnectedGateway } from "@gatewright/resources";
import { clean, columns } from "./screen/columns.ts";

const HEAD = ["NAMESPACE", "NAME", "POD", "SPEAKS", "BY", "BEHIND", "REFUSED", "REPLICA", "CONNECTED"];

/** Gateways for people: those with trouble first, and below the table what they refused. */
export function gatewaysTable(all: readonly Immutable<ConnectedGateway>[], now: number): string {
  if (all.length === 0) return "No gateway is connected.\n";
  const troubled = all.toSorted(({ spec: a }, { spec: b }) => b.refused - a.refused || b.behind - a.behind);
  const rows = troubled.map(({ spec: { gateway, behind, refused, replica, connectedAt } }) =>
    [
      gateway.namespace,
      gateway.name,
      gateway.podName ?? "",
      gateway.dialect,
      gateway.door,
      String(behind),
      String(refused),
      replica,
      lasting(now - Date.parse(connectedAt)),
    ].map(clean),
  );
  const lines = columns([HEAD, ...rows]);
  const words = troubled.flatMap(({ spec: { gateway, refusals = [], problem } }) => [
    ...refusals.map(({ object, field, message }) => `${gateway.name} refused ${object}: ${field}: ${message}`),
    ...(problem === undefined ? [] : [`${gateway.name}: ${problem}`]),
  ]);
  return `${[...lines, ...(words.length > 0 ? ["", ...words.map(clean)] : [])].join("\n")}\n`;
}

/** `12s`, `3m`, `5h`, `2d`. */
function lasting(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
