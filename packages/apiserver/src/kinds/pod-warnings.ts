import {
  at,
  child,
  compareQuantities,
  getOwn,
  integerQuantity,
  isDNS1123Label,
  key,
  quantityOf,
  quote,
  roundedUp,
} from "@gatewright/kube";
import type { FieldPath, JsonObject, KubeObject } from "@gatewright/kube";
import { count, struct, structs, text } from "../resources/object-fields.ts";
import type { WriteContext } from "../resources/resource.ts";

/** Volume sources that do nothing any more, with what is said of each. */
const RETIRED_SOURCES: readonly (readonly [string, string, told?: string])[] = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+", "storageOS"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

/** Annotations that became fields and do nothing any more, with what is said of each. */
const RETIRED_ANNOTATIONS: readonly (readonly [string, string])[] = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
];

const CONTAINERS = ["initContainers", "containers", "ephemeralContainers"] as const;

function containersOf(spec: JsonObject, path: FieldPath): [JsonObject, FieldPath][] {
  return CONTAINERS.flatMap((list) =>
    structs(spec, list).map((c, i): [JsonObject, FieldPath] => [c, at(child(path, list), i)]),
  );
}

function repeats(items: readonly JsonObject[], field: string, path: FieldPath): string[] {
  const seen = new Set<string>();
  return items.flatMap((item, i) => {
    const value = text(item, field);
    if (seen.has(value)) return [`${child(at(path, i), field)}: duplicate ${field} ${quote(value)}`];
    seen.add(value);
    return [];
  });
}

/** Half a byte cannot be had. */
function fractionWarnings(container: JsonObject, path: FieldPath): string[] {
  return ["memory", "ephemeral-storage"].flatMap((resource) =>
    ["limits", "requests"].flatMap((list) => {
      const amount = getOwn(struct(container, "resources", list) ?? {}, resource);
      const quantity = amount === undefined ? undefined : quantityOf(amount);
      if (!quantity || compareQuantities(quantity, integerQuantity(roundedUp(quantity))) === 0) return [];
      const place = key(child(path, "resources", list), resource);
      return [`${place}: fractional byte value ${quote(String(amount))} is invalid, must be an integer`];
    }),
  );
}

/** A variable that is set anew without building on its former value. */
function envWarnings(container: JsonObject, path: FieldPath): string[] {
  const seen = new Set<string>();
  return structs(container, "env").flatMap((variable, i) => {
    const [name, value] = [text(variable, "name"), text(variable, "value")];
    const ref = `$(${name})`;
    const hides = struct(variable, "valueFrom") !== undefined || value === ref || !value.includes(ref);
    const repeated = seen.has(name);
    seen.add(name);
    if (!repeated || !hides) return [];
    return [
      `${at(child(path, "env"), i)}: hides previous definition of ${quote(name)}, which may be dropped when using apply`,
    ];
  });
}

function portWarnings(containers: readonly [JsonObject, FieldPath][]): string[] {
  const ports = containers.flatMap(([container, path]) =>
    structs(container, "ports").map((port, i) => ({ port, path: at(child(path, "ports"), i) })),
  );
  const names = new Map<string, FieldPath>();
  const overlaps = ports.flatMap(({ port, path }, i) =>
    ports.slice(0, i).flatMap((other) => {
      if (port["containerPort"] !== other.port["containerPort"] || port["protocol"] !== other.port["protocol"])
        return [];
      const [host, otherHost] = [count(port, "hostPort"), count(other.port, "hostPort")];
      const [ip, otherIP] = [text(port, "hostIP"), text(other.port, "hostIP")];
      if (ip === otherIP && host === otherHost) return [`${path}: duplicate port definition with ${other.path}`];
      if (host === 0 || otherHost === 0) return [`${path}: overlapping port definition with ${other.path}`];
      const ambiguous = host === otherHost && (ip === "") !== (otherIP === "");
      return ambiguous ? [`${path}: dangerously ambiguous port definition with ${other.path}`] : [];
    }),
  );
  const repeated = ports.flatMap(({ port, path }) => {
    const name = text(port, "name");
    const other = names.get(name);
    if (name !== "" && other === undefined) names.set(name, path);
    if (name === "" || other === undefined) return [];
    const use = `services and probes that select ports by name will use ${other}`;
    return [`${path}: duplicate port name ${quote(name)} with ${other}, ${use}`];
  });
  return [...overlaps, ...repeated];
}

/** What is allowed in a pod or template and most likely a mistake. `path` is where it stands. */
function podWarnings(pod: JsonObject, path: FieldPath): string[] {
  const spec = struct(pod, "spec") ?? {};
  const annotations = struct(pod, "metadata", "annotations") ?? {};
  const place = child(path, "spec");
  const containers = containersOf(spec, place);
  const secrets = structs(spec, "imagePullSecrets");
  const secretPath = child(place, "imagePullSecrets");
  const spread = child(place, "topologySpreadConstraints");
  return [
    ...structs(spec, "topologySpreadConstraints").flatMap((constraint, i) =>
      struct(constraint, "labelSelector")
        ? []
        : [`${child(at(spread, i), "labelSelector")}: a null labelSelector results in matching no pod`],
    ),
    ...RETIRED_ANNOTATIONS.flatMap(([name, why]) =>
      Object.hasOwn(annotations, name) ? [`${key(child(path, "metadata", "annotations"), name)}: ${why}`] : [],
    ),
    ...structs(spec, "volumes").flatMap((volume, i) =>
      RETIRED_SOURCES.flatMap(([source, why, told]) =>
        struct(volume, source) ? [`${child(at(child(place, "volumes"), i), told ?? source)}: ${why}`] : [],
      ),
    ),
    ...repeats(structs(spec, "hostAliases"), "ip", child(place, "hostAliases")),
    ...repeats(secrets, "name", secretPath),
    ...secrets.flatMap((secret, i) =>
      text(secret, "name") === "" ? [`${child(at(secretPath, i), "name")}: invalid empty name ""`] : [],
    ),
    ...containers.flatMap(([container, at_]) => [...fractionWarnings(container, at_), ...envWarnings(container, at_)]),
    ...portWarnings(containers),
    ...(count(spec, "terminationGracePeriodSeconds") < 0
      ? [
          `${child(place, "terminationGracePeriodSeconds")}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
  ];
}

/** Names of workloads become parts of hostnames: those that do not fit get a warning. */
function nameWarnings(object: KubeObject, use: string): string[] {
  const problems = isDNS1123Label(object.metadata.name ?? "");
  if (problems.length === 0) return [];
  const why = "which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: this is used in ${use}, ${why}: [${problems.join(" ")}]`];
}

/** Warnings about a new pod. */
export function warnOfPod(object: KubeObject, old: KubeObject | undefined, context: WriteContext): void {
  if (old) return;
  const warnings = [...nameWarnings(object, "the Pod's hostname"), ...podWarnings(object, "")];
  for (const warning of warnings) context.warn(warning);
}

/** How a kind's pods are made: where its template stands, and whether its name is part of theirs in a way to warn of. */
export function warnOfWorkload(template: readonly [string, ...string[]], named: boolean) {
  return (object: KubeObject, old: KubeObject | undefined, context: WriteContext): void => {
    if (old && old.metadata.generation === object.metadata.generation) return;
    const found = template.reduce<JsonObject | undefined>((holder, field) => struct(holder, field), object);
    const warnings = [
      ...(named && !old ? nameWarnings(object, "Pod names and hostnames") : []),
      ...(found ? podWarnings(found, template.join(".")) : []),
    ];
    for (const warning of warnings) context.warn(warning);
  };
}
