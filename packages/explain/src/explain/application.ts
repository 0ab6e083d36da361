import type { Immutable } from "@gatewright/kube";
import { apps, batch, core } from "@gatewright/kube/api";
import { GatewayHostnameRequest, HTTPRoute } from "@gatewright/resources";
import type { Application } from "@gatewright/resources";
import type { Cause } from "../chain.ts";
import { kubectl } from "../kubectl.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import type { LinkInput } from "../link.ts";
import { subjectOf, subjectOfObject } from "../subject.ts";
import { worse } from "../answer.ts";
import { deploymentLink } from "./deployment.ts";
import type { Explained } from "./explained.ts";
import { requestLink } from "./hostname.ts";
import { httpRouteLink } from "./http-route.ts";
import { jobLink } from "./job.ts";
import { objectLink } from "./object-link.ts";
import { outsideLinks } from "./outside.ts";
import { explainService } from "./service.ts";
import type { ApiObject, Resource } from "@gatewright/kube";

type App = Immutable<Application>;

/** An Application: its pods, its Service, and the way from outside if it is exposed. */
export function explainApplication(known: Known, app: App): Explained {
  const { namespace = "", name = "" } = app.metadata;
  const ref = { namespace, name };
  const isJob = app.spec.runToCompletion === true;
  const workload = isJob
    ? child(known, batch.Job, ref, (job) => jobLink(known, job))
    : child(known, apps.Deployment, ref, (deployment) => deploymentLink(known, deployment));
  const services =
    isJob || (app.spec.ports ?? []).length === 0
      ? []
      : child(known, core.Service, ref, (service) => ownService(explainService(known, service), app));
  const ready = objectLink(app, { words: ["applications", "kubernetes", "found"], now: known.now });
  const { expose } = app.spec;
  if (expose === undefined)
    return {
      root: { ...ready, on: [...workload, ...services] },
      ...(app.status?.url !== undefined && { url: app.status.url }),
    };
  const words = ["applications", "hostnames", "gateway-api", "found"] as const;
  const exposed = objectLink(app, { words, now: known.now, type: "Exposed" });
  const top = worse(ready.state, exposed.state) === ready.state ? ready : exposed;
  const url = `https://${expose.hostname}/`;
  return { root: { ...top, on: [...workload, ...services, ...exposure(known, app, ref, url)] }, url };
}

/** Pods are told of with the workload, and what is wrong with ports is mended in the Application: changes of the Service are undone. */
function ownService(service: Cause, app: App): Cause {
  const next =
    service.reason === "WrongPort"
      ? [
          {
            text: "Let targetPort in the Application's ports be the port that the container listens on.",
            command: kubectl.edit(subjectOfObject(app)),
          },
        ]
      : service.next;
  return { ...service, next, on: service.on.filter(({ subject }) => subject?.kind !== "Pod") };
}

function exposure(known: Known, app: App, ref: { namespace: string; name: string }, url: string): readonly Cause[] {
  const requests = child(known, GatewayHostnameRequest, ref, (request) => requestLink(known, request));
  const isServing = requests.every(({ state }) => state === "ok");
  const routes = isServing
    ? child(known, HTTPRoute, ref, (route) => withoutServices(httpRouteLink(known, route, { hostname: "known" })))
    : [];
  const isExposed = app.status?.conditions?.some(({ type, status }) => type === "Exposed" && status === "True");
  const trial = isExposed === true && !url.includes("*") ? known.trial(url) : undefined;
  return [...requests, ...routes, ...(trial === undefined ? [] : outsideLinks(trial))];
}

/** The Application's own Service is told of already. */
function withoutServices(route: Cause): Cause {
  return { ...route, on: route.on.filter(({ subject }) => subject?.kind !== "Service") };
}

/** What the Application makes under its own name. While it is not there, that is waited for: the Application says why it is not made. */
function child<T extends ApiObject>(
  known: Known,
  resource: Resource<T>,
  ref: { readonly namespace: string; readonly name: string },
  explain: (object: Immutable<T>) => Cause,
): readonly Cause[] {
  const seen = known.get(resource, ref);
  const about: Pick<LinkInput, "title" | "subject"> = {
    title: `${resource.kind} ${ref.name}`,
    subject: subjectOf(resource, ref),
  };
  switch (seen.state) {
    case "present":
      return [explain(seen.object)];
    case "unknown":
      return [unreadLink(about.title, seen.problem, about.subject)];
    case "absent":
      return [link({ ...about, state: "waiting", reason: "NotFound", message: "It is not made yet.", next: [] })];
  }
}
