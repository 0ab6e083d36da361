import type { Immutable } from "@gatewright/kube";
import type { apps, core } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import { containerPorts, listenPort } from "./container-ports.ts";
import type { Port } from "./container-ports.ts";
import { exposedPorts } from "./exposed-ports.ts";
import { CONTAINER } from "./pod-template.ts";

/** What there is of an Application before a change. */
export interface Before {
  readonly service: Immutable<core.Service> | undefined;
  readonly deployment: Immutable<apps.Deployment> | undefined;
}

/**
 * Where a port of the Service leads: to a number, until that changes. A number holds for all pods at once, and those of before do not
 * listen there; the name of the container's port is looked up pod by pod, so from then on it is the name, for as long as pods know it.
 */
export function targetPort(app: Immutable<Application>, port: Port, before: Before): number | string {
  const number = listenPort(port);
  const isIt = (other: { readonly containerPort: number; readonly protocol?: string }): boolean =>
    other.containerPort === number && other.protocol === port.protocol;
  const name = containerPorts(app.spec.ports ?? []).find(isIt)?.name;
  const known = before.deployment?.spec?.template.spec?.containers
    .find((each) => each.name === CONTAINER)
    ?.ports?.find((each) => each.name === name && (each.protocol ?? "TCP") === port.protocol);
  if (name === undefined || known === undefined || isOneOfSeveral(app, port)) return number;
  const now = before.service?.spec?.ports?.find((each) => each.name === port.name)?.targetPort;
  return known.containerPort !== number || now === name ? name : number;
}

/** Load balancer controllers call the target groups of a route's ports apart by their numbers; names are all the same to them. */
function isOneOfSeveral(app: Immutable<Application>, port: Port): boolean {
  const exposed = app.spec.expose === undefined ? [] : exposedPorts(app);
  return exposed.length > 1 && exposed.includes(port);
}
