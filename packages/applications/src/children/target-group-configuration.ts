import type { Immutable } from "@gatewright/kube";
import type { Application, TargetGroupConfiguration } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { listenPort } from "./container-ports.ts";
import { exposedPorts } from "./exposed-ports.ts";
import { homeOf, labelsOf } from "./names.ts";
import { probedPort } from "./probe.ts";

/**
 * How often targets are asked. New pods get no requests before they were, and those that stop none any more: that updates wait for it takes
 * the controller's readiness gate.
 */
const HEALTH = { healthCheckInterval: 10, healthCheckTimeout: 5, healthyThresholdCount: 2, unhealthyThresholdCount: 2 };

/** How long requests that are under way may take when a pod goes. */
const DRAIN_SECONDS = 30;

/** Pods without a probe that load balancers can repeat are well when they answer at all. */
const ANSWERS = { healthCheckPath: "/", matcher: { httpCode: "200-499" } };

type Spec = Immutable<Application>["spec"];
type HttpGet = NonNullable<NonNullable<NonNullable<Spec["probes"]>["readiness"]>["httpGet"]>;

/** What a kubelet asks for, and counts as fine. It puts a slash before a path that has none. */
function asked({ path, port, scheme }: HttpGet, app: Immutable<Application>) {
  return {
    healthCheckProtocol: scheme,
    healthCheckPort: askedPort(probedPort(port, app.spec.ports), app),
    healthCheckPath: path.startsWith("/") ? path : `/${path}`,
    matcher: { httpCode: "200-399" },
  };
}

/** Each pod is asked where it gets its requests, if that is where its probe asks: while targetPort changes pods differ in it. */
function askedPort(probed: number | string, app: Immutable<Application>): string {
  const ports = exposedPorts(app);
  return ports.length > 0 && ports.every((each) => listenPort(each) === probed) ? "traffic-port" : String(probed);
}

/**
 * What is spoken to pods: one protocol for all ports, since a Service has one configuration. Load balancer controllers take HTTP for a
 * HTTPRoute whatever the ports say.
 */
function spoken(app: Immutable<Application>): "HTTP" | "HTTPS" {
  const ports = exposedPorts(app);
  return ports.length > 0 && ports.every(({ appProtocol }) => appProtocol === "https") ? "HTTPS" : "HTTP";
}

/** Makes the pods themselves targets of the load balancer: the Service needs no node ports, and rolling updates are seen at once. */
export function targetGroupConfiguration(app: Immutable<Application>): Applied<TargetGroupConfiguration> | undefined {
  const { expose, probes, runToCompletion } = app.spec;
  if (expose === undefined || runToCompletion === true) return undefined;
  const { name } = homeOf(app);
  const probe = probes?.readiness?.httpGet;
  const protocol = spoken(app);
  return {
    metadata: { name, labels: labelsOf(app) },
    spec: {
      targetReference: { group: "", kind: "Service", name },
      defaultConfiguration: {
        targetType: "ip",
        ...(protocol === "HTTPS" && { protocol }),
        healthCheckConfig: {
          ...HEALTH,
          ...(probe === undefined
            ? { ...ANSWERS, ...(protocol === "HTTPS" && { healthCheckProtocol: protocol }) }
            : asked(probe, app)),
        },
        targetGroupAttributes: [{ key: "deregistration_delay.timeout_seconds", value: String(DRAIN_SECONDS) }],
      },
    },
  };
}
