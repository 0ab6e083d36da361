import type { Immutable } from "@gatewright/kube";
import type { Application } from "@gatewright/resources";

/** A port of an Application. */
export type Port = NonNullable<Immutable<Application>["spec"]["ports"]>[number];

interface ContainerPort {
  readonly name: string;
  readonly containerPort: number;
  readonly protocol: string;
}

/** The port that the container listens on. */
export function listenPort({ port, targetPort }: Port): number {
  return targetPort ?? port;
}

/** Each port once, though several ports of the Service may lead to it. */
export function containerPorts(ports: readonly Port[]): readonly ContainerPort[] {
  const known = new Map<string, ContainerPort>();
  for (const port of ports) {
    const containerPort = listenPort(port);
    const key = `${containerPort}/${port.protocol}`;
    if (!known.has(key)) known.set(key, { name: port.name, containerPort, protocol: port.protocol });
  }
  return [...known.values()];
}
