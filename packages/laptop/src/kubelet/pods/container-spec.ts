import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { ContainerSpec } from "../../containers/container-runtime.ts";
import type { ConfigSource } from "./config-source.ts";
import type { Whereabouts } from "./downward-fields.ts";
import { environmentOf } from "./environment.ts";
import { expand } from "./expand.ts";
import { isSidecar } from "./pod-run.ts";
import { volumeFiles } from "./volume-files.ts";

type Pod = Immutable<core.Pod>;
type Container = Immutable<core.Container>;

/** What a runtime needs to know of a container, all references resolved. Rejects with `ConfigError` when one leads nowhere. */
export async function containerSpec(
  pod: Pod,
  container: Container,
  where: Whereabouts,
  source: ConfigSource,
): Promise<Omit<ContainerSpec, "restarts" | "log" | "opened">> {
  const files = await volumeFiles(pod, container, where, source);
  const env = await environmentOf(pod, container, where, source);
  const expanded = (text: string): string => expand(text, (name) => env.values.get(name)).text;
  const { namespace = "", name = "", uid = "" } = pod.metadata;
  return {
    pod: { namespace, name, uid, ip: where.podIP },
    name: container.name,
    image: container.image ?? "",
    command: (container.command ?? []).map(expanded),
    args: (container.args ?? []).map(expanded),
    env: env.values,
    secretEnv: env.secret,
    ports: (container.ports ?? []).flatMap(({ containerPort, protocol = "TCP" }) =>
      protocol === "TCP" ? [containerPort] : [],
    ),
    files,
    ends: endsByItself(pod, container),
  };
}

function endsByItself({ spec, metadata }: Pod, container: Container): boolean {
  if (spec?.initContainers?.includes(container) === true) return !isSidecar(container);
  return metadata.ownerReferences?.some(({ kind, controller }) => kind === "Job" && controller === true) === true;
}
