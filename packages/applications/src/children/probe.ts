import type { Immutable } from "@gatewright/kube";
import type { Application } from "@gatewright/resources";
import { listenPort } from "./container-ports.ts";

type Spec = Immutable<Application>["spec"];
type Probe = NonNullable<NonNullable<Spec["probes"]>["readiness"]>;

/** A probe as pods have it: names of ports become numbers, since a pod knows a port once though two names may lead to it. */
export function podProbe({ httpGet, tcpSocket, grpc, exec, ...timing }: Probe, ports: Spec["ports"]) {
  const number = (port: number | string): number | string => probedPort(port, ports);
  return {
    ...timing,
    ...(httpGet && { httpGet: { ...httpGet, port: number(httpGet.port) } }),
    ...(tcpSocket && { tcpSocket: { port: number(tcpSocket.port) } }),
    ...(grpc && { grpc }),
    ...(exec && { exec }),
  };
}

/** The port of a container that a probe asks at, by its number or its name. */
export function probedPort(port: number | string, ports: Spec["ports"]): number | string {
  const named = ports?.find(({ name }) => name === port);
  return named === undefined ? port : listenPort(named);
}
