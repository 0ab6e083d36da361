import type { Immutable } from "@gatewright/kube";
import { apps, core, discovery } from "@gatewright/kube/api";
import type { Cause } from "../chain.ts";
import { kubectl } from "../kubectl.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import { subjectOf } from "../subject.ts";
import { deploymentLink } from "./deployment.ts";
import { hasFailed, isReady, podLinks } from "./pods.ts";

type Service = Immutable<core.Service>;
type ServicePort = Immutable<core.ServicePort>;
type Pod = Immutable<core.Pod>;

const WORDS = ["found", "kubernetes"] as const;

/** A port of a Service, by its number or name; undefined stands for all of them. */
export type AskedPort = number | string | undefined;

/** A Service that something leads to, by its name. */
export function serviceLink(
  known: Known,
  ref: { readonly namespace: string; readonly name: string },
  port?: AskedPort,
): Cause {
  const seen = known.get(core.Service, ref);
  const [title, subject] = [`Service ${ref.name}`, subjectOf(core.Service, ref)];
  if (seen.state === "unknown") return unreadLink(title, seen.problem, subject);
  if (seen.state === "present") return explainService(known, seen.object, port);
  const others = known.list(core.Service, { namespace: ref.namespace });
  const names = others.state === "known" ? others.items.map(({ metadata }) => metadata.name ?? "") : [];
  const there = names.length === 0 || names.length > 12 ? "" : ` There are: ${names.join(", ")}.`;
  const message = `There is no Service ${ref.name} in namespace ${ref.namespace}.${there}`;
  const next = [{ text: "Make the Service, or mend the name in what leads to it." }];
  return link({ title, subject, state: "broken", reason: "NotFound", message, next });
}

/** A Service: its ports, whether anything can take requests, and if nothing can, why not. */
export function explainService(known: Known, service: Service, asked?: AskedPort): Cause {
  const { metadata, spec } = service;
  const { namespace = "", name = "" } = metadata;
  const subject = subjectOf(core.Service, { namespace, name });
  const about = { title: `Service ${name}`, subject, words: WORDS };
  if (spec?.type === "ExternalName") return link({ ...about, state: "ok", message: `Leads to ${spec.externalName}.` });
  const all = spec?.ports ?? [];
  const ports = asked === undefined ? all : all.filter(({ port, name: called }) => port === asked || called === asked);
  if (asked !== undefined && ports.length === 0) {
    const message = `It has no port ${asked}; it has ${all.map(portText).join(", ") || "none"}.`;
    const next = [
      { text: `Lead to one of ${all.map(({ port }) => port).join(", ")}, or add port ${asked} to the Service.` },
      { text: "See its ports.", command: kubectl.describe(subject) },
    ];
    return link({ ...about, state: "broken", reason: "PortNotFound", message, next });
  }
  const slices = known.list(discovery.EndpointSlice, {
    namespace,
    labelSelector: `kubernetes.io/service-name=${name}`,
  });
  if (slices.state === "unknown")
    return link({ ...about, state: "unknown", on: [unreadLink("Endpoints", slices.problem)] });
  const ready = readyAddresses(slices.items);
  const selector = Object.entries(spec?.selector ?? {});
  if (selector.length === 0) {
    const message = ready > 0 ? `${ready} endpoints.` : "It selects no pods, and nobody gave it endpoints.";
    return link({ ...about, state: ready > 0 ? "ok" : "broken", reason: ready > 0 ? "" : "NoEndpoints", message });
  }
  const labelSelector = selector.map(([key, value]) => `${key}=${value}`).join(",");
  const seen = known.list(core.Pod, { namespace, labelSelector });
  if (seen.state === "unknown") {
    const state = ready > 0 ? "ok" : "broken";
    const message = `${ready} endpoints are ready.`;
    return link({
      ...about,
      state,
      reason: ready > 0 ? "" : "NoEndpoints",
      message,
      on: [unreadLink("Pods", seen.problem)],
    });
  }
  const staying = seen.items.filter(({ metadata: { deletionTimestamp } }) => deletionTimestamp === undefined);
  const living = staying.filter((pod) => !hasFailed(pod));
  // Where others take requests, pods that failed are history.
  const pods = ready > 0 && living.length > 0 ? living : staying;
  if (pods.length === 0) return link({ ...about, ...noPods(known, namespace, labelSelector, spec?.selector ?? {}) });
  const good = pods.filter(isReady);
  if (good.length === 0) {
    const message = `None of its ${pods.length} ${pods.length === 1 ? "pod is" : "pods are"} ready.`;
    const on = podLinks(known, pods);
    const state = on[0]?.state === "waiting" ? "waiting" : "broken";
    return link({ ...about, state, reason: "NoEndpoints", message, on });
  }
  const played = good.find(isSimulated);
  if (played !== undefined) {
    const image = played.spec?.containers[0]?.image ?? "";
    const message = `This machine does not run the image ${image}: its pods are played, and no port of them answers.`;
    return link({ ...about, state: "broken", reason: "Simulated", message });
  }
  const wrong = wrongPort(known, ports, good);
  if (wrong !== undefined) {
    const next = [
      { text: "Let targetPort be the port that the container listens on.", command: kubectl.edit(subject) },
    ];
    return link({ ...about, state: wrong.state, reason: "WrongPort", message: wrong.message, next });
  }
  if (ready === 0) {
    const message = `${good.length} pods are ready, and none of them is an endpoint yet.`;
    return link({ ...about, state: "waiting", reason: "NoEndpoints", message });
  }
  const message = `${ready} of ${pods.length} pods take requests.`;
  return link({ ...about, state: ready < pods.length && ready === 0 ? "warning" : "ok", message });
}

/** On a laptop, images that are not there are played. */
function isSimulated({ status }: Pod): boolean {
  return (
    status?.conditions?.some(({ type, status: held }) => type === "gatewright.dev/Simulated" && held === "True") ===
    true
  );
}

function readyAddresses(slices: readonly Immutable<discovery.EndpointSlice>[]): number {
  const addresses = slices.flatMap(({ endpoints }) =>
    (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false).flatMap((each) => each.addresses),
  );
  return new Set(addresses).size;
}

/** Who should have made the pods, if anybody: a Deployment whose pods would have the labels. */
function noPods(
  known: Known,
  namespace: string,
  labelSelector: string,
  selector: Readonly<Record<string, string>>,
): { state: "broken"; reason: string; message: string; on: readonly Cause[]; next?: Cause["next"] } {
  const message = `No pod has the labels ${labelSelector}.`;
  const deployments = known.list(apps.Deployment, { namespace });
  if (deployments.state === "unknown") {
    return { state: "broken", reason: "NoPods", message, on: [unreadLink("Deployments", deployments.problem)] };
  }
  const makers = deployments.items.filter(({ spec }) => {
    const labels = spec?.template.metadata?.labels ?? {};
    return Object.entries(selector).every(([key, value]) => labels[key] === value);
  });
  if (makers.length > 0) {
    const on = makers.map((each) => deploymentLink(known, each));
    return { state: "broken", reason: "NoEndpoints", message, on };
  }
  const next = [
    { text: "Let the selector be the labels of the pods, or make pods with these labels." },
    { text: "See what labels there are.", command: kubectl.labels(namespace, "pods,deployments") },
  ];
  return { state: "broken", reason: "NoPods", message, on: [], next };
}

interface Wrong {
  readonly state: "broken" | "warning";
  readonly message: string;
}

/**
 * A port that no container listens at. Where somebody looked, that is believed; otherwise what containers declare, which is a hint
 * only: they may listen at others.
 */
function wrongPort(known: Known, ports: readonly ServicePort[], pods: readonly Pod[]): Wrong | undefined {
  const [pod] = pods;
  if (pod === undefined) return undefined;
  const { namespace = "", name = "" } = pod.metadata;
  const declared = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  const has = declared.map(({ containerPort, name: called }) =>
    called === undefined ? `${containerPort}` : `${containerPort} (${called})`,
  );
  const there = has.length === 0 ? "" : ` Its containers declare ${has.join(", ")}.`;
  for (const { port, targetPort = port, protocol } of ports) {
    if (protocol === "UDP" || protocol === "SCTP") continue;
    if (typeof targetPort === "string" && !/^[0-9]+$/.test(targetPort)) {
      if (declared.some((each) => each.name === targetPort)) continue;
      return {
        state: "broken",
        message: `Port ${port} leads to the container port called ${targetPort}, which pod ${name} does not have.${there}`,
      };
    }
    const number = Number(targetPort);
    const looked = known.podPort({ namespace, name }, number);
    if (looked === "listening") continue;
    if (looked === "closed") {
      return {
        state: "broken",
        message: `Port ${port} leads to port ${number} of pod ${name}, where nobody listens.`,
      };
    }
    if (declared.length > 0 && !declared.some(({ containerPort }) => containerPort === number)) {
      return {
        state: "warning",
        message: `Port ${port} leads to port ${number} of pod ${name}, which it does not declare.${there}`,
      };
    }
  }
  return undefined;
}

function portText({ port, name }: ServicePort): string {
  return name === undefined ? `${port}` : `${port} (${name})`;
}
