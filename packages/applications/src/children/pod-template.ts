import type { Immutable } from "@gatewright/kube";
import type { Application } from "@gatewright/resources";
import { configMap } from "./config-map.ts";
import { containerPorts } from "./container-ports.ts";
import { labelsOf } from "./names.ts";
import { podProbe } from "./probe.ts";

/** The one container of a pod. */
export const CONTAINER = "app";

const CONFIG_VOLUME = "config";
const CONFIG_PATH = "/etc/config";

/**
 * How long a pod that is exposed goes on answering after it was told to stop: load balancers send requests to it until they have heard.
 * Counts as part of the grace period, which is as much longer, so that programs have what they would have without it.
 */
const PAUSE_SECONDS = 20;
const GRACE_SECONDS = 30;

/** What the pods of an Application are made from. */
export function podTemplate(app: Immutable<Application>) {
  const { spec } = app;
  const config = configMap(app)?.metadata.name;
  return {
    metadata: { labels: labelsOf(app) },
    spec: {
      containers: [container(app, config)],
      ...(spec.expose !== undefined && { terminationGracePeriodSeconds: PAUSE_SECONDS + GRACE_SECONDS }),
      ...(config !== undefined && { volumes: [{ name: CONFIG_VOLUME, configMap: { name: config } }] }),
      ...(spec.serviceAccountName !== undefined && { serviceAccountName: spec.serviceAccountName }),
      ...(spec.imagePullSecrets !== undefined && { imagePullSecrets: spec.imagePullSecrets }),
    },
  };
}

function container({ spec }: Immutable<Application>, config: string | undefined) {
  const { ports, probes = {} } = spec;
  const envFrom = [
    ...(config === undefined ? [] : [{ configMapRef: { name: config } }]),
    // Whoever wrote the Application named these after config, so they win.
    ...(spec.envFrom ?? []),
  ];
  return {
    name: CONTAINER,
    image: spec.image,
    ...(spec.command !== undefined && { command: spec.command }),
    ...(spec.args !== undefined && { args: spec.args }),
    ...(ports !== undefined && ports.length > 0 && { ports: containerPorts(ports) }),
    ...(envFrom.length > 0 && { envFrom }),
    ...(spec.env !== undefined && { env: spec.env }),
    ...(spec.resources !== undefined && { resources: amounts(spec.resources) }),
    ...(probes.startup && { startupProbe: podProbe(probes.startup, ports) }),
    ...(probes.readiness && { readinessProbe: podProbe(probes.readiness, ports) }),
    ...(probes.liveness && { livenessProbe: podProbe(probes.liveness, ports) }),
    ...(spec.expose !== undefined && { lifecycle: { preStop: { sleep: { seconds: PAUSE_SECONDS } } } }),
    ...(config !== undefined && {
      volumeMounts: [{ name: CONFIG_VOLUME, mountPath: spec.configPath ?? CONFIG_PATH, readOnly: true }],
    }),
  };
}

type Amounts = Readonly<Record<string, string | number>>;

function amounts({ requests, limits }: { readonly requests?: Amounts; readonly limits?: Amounts }) {
  const texts = (given: Amounts): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, amount]) => [name, String(amount)]));
  return { ...(requests && { requests: texts(requests) }), ...(limits && { limits: texts(limits) }) };
}
