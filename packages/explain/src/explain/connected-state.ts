import type { Immutable } from "@gatewright/kube";
import type { ConnectedGateway } from "@gatewright/resources";
import type { State } from "../answer.ts";

/** How a gateway is that is connected to the operator. */
export function connectedState({ spec }: Immutable<ConnectedGateway>): {
  readonly state: State;
  readonly reason: string;
  readonly message: string;
  readonly since: string;
} {
  const { behind, refused, refusals = [], problem, connectedAt: since } = spec;
  if (refused > 0) {
    const words = refusals.map(
      ({ object, field, message }) => `${object}: ${field === "" ? "" : `${field}: `}${message}`,
    );
    return { state: "broken", reason: "GatewayRefused", message: `It refused ${words.join("; ") || refused}`, since };
  }
  if (problem !== undefined) return { state: "broken", reason: "GatewayRefused", message: problem, since };
  if (behind > 0) {
    const message = `It has not acknowledged ${behind} ${behind === 1 ? "object" : "objects"} yet.`;
    return { state: "waiting", reason: "GatewayBehind", message, since };
  }
  return { state: "ok", reason: "InStep", message: "It has acknowledged everything.", since };
}
