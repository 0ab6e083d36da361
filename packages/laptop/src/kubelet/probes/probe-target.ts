import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { Container } from "../../containers/container-runtime.ts";
import type { Address } from "../../network/cluster-network.ts";

/** The container that probes and hooks turn to. */
export interface ProbeTarget {
  readonly podIP: string;
  readonly spec: Immutable<core.Container>;
  readonly container: Container;
  /** Where a port of the pod really is; undefined while nothing listens there. */
  readonly addressOf: (port: number) => Address | undefined;
}

/** What came of a probe. `output` is for people. */
export type ProbeResult = { readonly ok: true } | { readonly ok: false; readonly output: string };

/** The number of a port that is given by number or by name; undefined when the container has no port of that name. */
export function portNumber({ spec }: ProbeTarget, port: number | string): number | undefined {
  const number = typeof port === "number" || /^\d+$/.test(port) ? Number(port) : undefined;
  return number ?? spec.ports?.find(({ name }) => name === port)?.containerPort;
}

/** What a connection to a closed port ends with. */
export function refused({ podIP }: ProbeTarget, port: number): string {
  return `dial tcp ${podIP}:${port}: connect: connection refused`;
}
