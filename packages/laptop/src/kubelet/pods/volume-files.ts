import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { ContainerFile } from "../../containers/container-runtime.ts";
import { ConfigError } from "./config-error.ts";
import type { ConfigSource, Entries } from "./config-source.ts";
import { downwardField, downwardResource } from "./downward-fields.ts";
import type { Whereabouts } from "./downward-fields.ts";

type Pod = Immutable<core.Pod>;
type Container = Immutable<core.Container>;
type Files = Map<string, ContainerFile>;

const DEFAULT_MODE = 0o644;

/**
 * The files that a container finds in its volumes, by absolute path: of ConfigMaps, Secrets and the downward API. Other volumes are
 * empty. Tokens of service accounts are not handed out. Rejects with {@link ConfigError} when something is missing.
 */
export async function volumeFiles(
  pod: Pod,
  container: Container,
  where: Whereabouts,
  source: ConfigSource,
): Promise<ReadonlyMap<string, ContainerFile>> {
  const files: Files = new Map();
  for (const { name, mountPath, subPath = "" } of container.volumeMounts ?? []) {
    const volume = pod.spec?.volumes?.find((candidate) => candidate.name === name);
    if (volume === undefined) continue;
    for (const [path, file] of await filesOf(pod, container, volume, where, source)) {
      const place = placeOf(path, mountPath, subPath);
      if (place !== undefined) files.set(place, file);
    }
  }
  return files;
}

/** Where a file of a volume is in the container; undefined outside of the part that is mounted. */
function placeOf(path: string, mountPath: string, subPath: string): string | undefined {
  if (subPath === "") return `${mountPath.replace(/\/$/, "")}/${path}`;
  if (path === subPath) return mountPath;
  return path.startsWith(`${subPath}/`) ? `${mountPath}${path.slice(subPath.length)}` : undefined;
}

async function filesOf(
  pod: Pod,
  container: Container,
  volume: Immutable<core.Volume>,
  where: Whereabouts,
  source: ConfigSource,
): Promise<Files> {
  const { configMap, secret, downwardAPI, projected } = volume;
  const files: Files = new Map();
  const add = async (part: Immutable<core.VolumeProjection>, mode: number): Promise<void> => {
    if (part.configMap !== undefined) {
      const { name = "" } = part.configMap;
      addEntries(
        files,
        { kind: "configmap", name, volume: volume.name, mode },
        part.configMap,
        await source.configMap(name),
      );
    }
    if (part.secret !== undefined) {
      const { name = "" } = part.secret;
      addEntries(files, { kind: "secret", name, volume: volume.name, mode }, part.secret, await source.secret(name));
    }
    for (const item of part.downwardAPI?.items ?? []) {
      const text =
        item.fieldRef !== undefined
          ? downwardField(pod, where, item.fieldRef.fieldPath)
          : item.resourceFieldRef && downwardResource(pod, container, where, item.resourceFieldRef);
      files.set(item.path, { data: Buffer.from(text ?? "", "utf8"), mode: item.mode ?? mode, secret: false });
    }
  };
  if (configMap !== undefined) await add({ configMap }, configMap.defaultMode ?? DEFAULT_MODE);
  if (secret !== undefined) {
    const { secretName = "", ...rest } = secret;
    await add({ secret: { ...rest, name: secretName } }, secret.defaultMode ?? DEFAULT_MODE);
  }
  if (downwardAPI !== undefined) await add({ downwardAPI }, downwardAPI.defaultMode ?? DEFAULT_MODE);
  const parts = projected?.sources ?? [];
  if (!parts.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    for (const part of parts) await add(part, projected?.defaultMode ?? DEFAULT_MODE);
  }
  return files;
}

interface Origin {
  readonly kind: "configmap" | "secret";
  readonly name: string;
  readonly volume: string;
  readonly mode: number;
}

function addEntries(
  files: Files,
  { kind, name, volume, mode }: Origin,
  { items, optional }: Immutable<core.ConfigMapProjection>,
  entries: Entries | undefined,
): void {
  const fail = (why: string): ConfigError =>
    new ConfigError("FailedMount", `MountVolume.SetUp failed for volume "${volume}" : ${why}`);
  if (entries === undefined) {
    if (optional === true) return;
    throw fail(`${kind} "${name}" not found`);
  }
  const wanted = items ?? [...entries.keys()].map((key): core.KeyToPath => ({ key, path: key }));
  for (const item of wanted) {
    const data = entries.get(item.key);
    if (data === undefined && optional !== true) throw fail(`references non-existent config key: ${item.key}`);
    if (data !== undefined) files.set(item.path, { data, mode: item.mode ?? mode, secret: kind === "secret" });
  }
}
