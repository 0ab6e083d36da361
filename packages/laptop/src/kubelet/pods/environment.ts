import { quote } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { ConfigError } from "./config-error.ts";
import type { ConfigSource, Entries } from "./config-source.ts";
import { downwardField, downwardResource } from "./downward-fields.ts";
import type { Whereabouts } from "./downward-fields.ts";
import { expand } from "./expand.ts";

type Pod = Immutable<core.Pod>;
type Container = Immutable<core.Container>;

/** The variables of a container, and which of them hold something of a Secret. */
export interface Environment {
  readonly values: ReadonlyMap<string, string>;
  readonly secret: ReadonlySet<string>;
}

interface Value {
  readonly text: string;
  readonly secret: boolean;
}

/** Makes the environment of a container. Rejects with {@link ConfigError} when something is missing that is not optional. */
export async function environmentOf(
  pod: Pod,
  container: Container,
  where: Whereabouts,
  source: ConfigSource,
): Promise<Environment> {
  const values = new Map<string, string>();
  const secret = new Set<string>();
  const set = (name: string, value: Value): void => {
    values.set(name, value.text);
    if (value.secret) secret.add(name);
    else secret.delete(name);
  };
  set("HOSTNAME", { text: pod.spec?.hostname ?? pod.metadata.name ?? "", secret: false });
  for (const from of container.envFrom ?? []) await addAll(from, source, set);
  for (const variable of container.env ?? []) {
    const value = await valueOf(pod, container, variable, where, source, { values, secret });
    if (value !== undefined) set(variable.name, value);
  }
  return { values, secret };
}

async function addAll(
  { prefix = "", configMapRef, secretRef }: Immutable<core.EnvFromSource>,
  source: ConfigSource,
  set: (name: string, value: Value) => void,
): Promise<void> {
  const kind = configMapRef === undefined ? "secret" : "configmap";
  const { name = "", optional } = configMapRef ?? secretRef ?? {};
  const entries = kind === "secret" ? await source.secret(name) : await source.configMap(name);
  if (entries === undefined && optional !== true) throw missing(kind, name);
  for (const [key, data] of entries ?? []) set(`${prefix}${key}`, { text: textOf(data), secret: kind === "secret" });
}

async function valueOf(
  pod: Pod,
  container: Container,
  { value = "", valueFrom }: Immutable<core.EnvVar>,
  where: Whereabouts,
  source: ConfigSource,
  soFar: Environment,
): Promise<Value | undefined> {
  if (valueFrom === undefined) {
    const { text, used } = expand(value, (name) => soFar.values.get(name));
    return { text, secret: used.some((name) => soFar.secret.has(name)) };
  }
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  if (configMapKeyRef !== undefined) {
    const entries = await source.configMap(configMapKeyRef.name ?? "");
    return entry(pod, "configmap", configMapKeyRef, entries);
  }
  if (secretKeyRef !== undefined)
    return entry(pod, "secret", secretKeyRef, await source.secret(secretKeyRef.name ?? ""));
  const text =
    fieldRef !== undefined
      ? downwardField(pod, where, fieldRef.fieldPath)
      : resourceFieldRef !== undefined
        ? downwardResource(pod, container, where, resourceFieldRef)
        : undefined;
  if (text === undefined) {
    const what = fieldRef?.fieldPath ?? resourceFieldRef?.resource ?? "valueFrom";
    throw new ConfigError("CreateContainerConfigError", `unsupported fieldPath: ${what}`);
  }
  return { text, secret: false };
}

function entry(
  pod: Pod,
  kind: "configmap" | "secret",
  { name = "", key, optional }: Immutable<core.ConfigMapKeySelector>,
  entries: Entries | undefined,
): Value | undefined {
  const data = entries?.get(key);
  if (data !== undefined) return { text: textOf(data), secret: kind === "secret" };
  if (optional === true) return undefined;
  if (entries === undefined) throw missing(kind, name);
  const where = `${kind === "secret" ? "Secret" : "ConfigMap"} ${pod.metadata.namespace ?? ""}/${name}`;
  throw new ConfigError("CreateContainerConfigError", `couldn't find key ${key} in ${where}`);
}

function missing(kind: "configmap" | "secret", name: string): ConfigError {
  return new ConfigError("CreateContainerConfigError", `${kind} ${quote(name)} not found`);
}

function textOf(data: Uint8Array): string {
  return Buffer.from(data).toString("utf8");
}
