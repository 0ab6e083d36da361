import type { Immutable } from "@gatewright/kube";
import type { Application } from "@gatewright/resources";
import type { Port } from "./container-ports.ts";

/** The port that a path of `expose` leads to: by number or name, the first that speaks TCP unless given. */
export function exposedPort({ spec }: Immutable<Application>, wanted?: number | string): Port | undefined {
  const usable = (spec.ports ?? []).filter(({ protocol }) => protocol === "TCP");
  return wanted === undefined ? usable[0] : usable.find(({ name, port }) => name === wanted || port === wanted);
}

/** The ports that `expose` leads to, each once. */
export function exposedPorts(app: Immutable<Application>): readonly Port[] {
  const paths = app.spec.expose?.paths ?? [{}];
  return [...new Set(paths.flatMap(({ port }: { port?: number | string }) => exposedPort(app, port) ?? []))];
}
