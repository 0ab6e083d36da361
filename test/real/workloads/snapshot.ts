import type { ApiObject, Immutable } from "@gatewright/kube";
import { controllerOf } from "@gatewright/runtime";
import type { Seen } from "./story-world.ts";

/** What of a namespace must be the same in both worlds, by path. */
export type Snapshot = ReadonlyMap<string, string>;

const REVISION = "deployment.kubernetes.io/revision";
const HASH = "pod-template-hash";
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const UIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * The state of a namespace without what is another in each run: uids, times, versions, generated names, and hashes of templates,
 * which are numbered by revision. Events are told once for each text.
 */
export function snapshotOf(seen: Seen, namespace: string): Snapshot {
  const revision = ({ metadata }: Immutable<ApiObject>): number => Number(metadata.annotations?.[REVISION] ?? 0);
  const replicaSets = seen.replicaSets.toSorted((a, b) => revision(a) - revision(b));
  const names = new Map<string, string>([[namespace, "<namespace>"]]);
  for (const { metadata } of replicaSets)
    names.set(metadata.labels?.[HASH] ?? "<none>", `<hash ${metadata.annotations?.[REVISION]}>`);
  const masked = (text: string): string => {
    let result = text.replace(TIMES, "<time>").replace(UIDS, "<uid>");
    for (const [name, mask] of names) result = result.replaceAll(name, mask);
    // Names of ReplicaSets that are gone; and names of pods, which end in five letters after a name that is known.
    return result
      .replaceAll(/\bweb-[4-9bcdf]{7,10}\b/g, "web-<hash 0>")
      .replace(/((?:<hash \d+>|\bwork(?:-\d+)?)-)[a-z0-9]{5}\b/g, "$1*");
  };
  const facts = new Map<string, string>();
  const tell = (path: string, value: unknown): void => {
    if (typeof value === "object" && value !== null) {
      // Items with a type or a name are told apart by it: their order says nothing.
      for (const [key, inner] of Object.entries(value)) tell(`${path}.${masked(labelOf(inner) ?? key)}`, inner);
      if (Object.keys(value).length === 0) facts.set(path, Array.isArray(value) ? "[]" : "{}");
    } else if (value !== undefined) facts.set(path, masked(String(value)));
  };
  for (const { metadata, spec, status } of seen.deployments) {
    tell(`deployment ${metadata.name}`, {
      annotations: metadata.annotations,
      generation: metadata.generation,
      spec,
      status,
    });
  }
  for (const { metadata, spec, status } of replicaSets) {
    const { annotations, labels } = metadata;
    // How many steps it took depends on which pods became ready together.
    const observedGeneration = status?.observedGeneration === metadata.generation ? "current" : "old";
    const told = { ...status, observedGeneration };
    tell(`replicaset ${masked(metadata.name ?? "")}`, {
      annotations,
      labels,
      owner: ownerOf(metadata),
      spec,
      status: told,
    });
  }
  for (const { metadata, status } of seen.jobs) tell(`job ${metadata.name}`, { status });
  const pods = seen.pods.map(({ metadata, spec, status }) => {
    const { labels, annotations, finalizers, generateName } = metadata;
    const images = spec?.containers.map(({ image }) => image);
    const env = spec?.containers.map(({ env }) => env);
    const pod = { labels, annotations, finalizers, generateName, owner: ownerOf(metadata), images, env };
    return masked(JSON.stringify({ ...pod, hostname: spec?.hostname, phase: status?.phase }, sorted));
  });
  for (const [at, pod] of pods.sort().entries()) facts.set(`pod ${at}`, pod);
  for (const { regarding, type, reason, note } of seen.events) {
    facts.set(`event ${regarding?.kind} ${type} ${reason}: ${stepless(masked(note ?? ""))}`, "told");
  }
  return facts;
}

/** Where two snapshots differ, one line each. */
export function differences(real: Snapshot, embedded: Snapshot): readonly string[] {
  const paths = [...new Set([...real.keys(), ...embedded.keys()])].sort();
  return paths.flatMap((path) => {
    const [theirs, ours] = [real.get(path), embedded.get(path)];
    return theirs === ours ? [] : [`${path}: ${theirs ?? "nothing"} there, ${ours ?? "nothing"} here`];
  });
}

function labelOf(item: unknown): string | undefined {
  const { type, name } = (item ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  return typeof type === "string" ? type : typeof name === "string" ? name : undefined;
}

/** Without what depends on how many steps it took, and how many events there were before. */
function stepless(note: string): string {
  return note.replace("(combined from similar events): ", "").replace(/ from \d+ to \d+$/, "");
}

function ownerOf(metadata: Immutable<ApiObject>["metadata"]): object | undefined {
  const owner = controllerOf({ apiVersion: "", kind: "", metadata });
  return owner === undefined ? undefined : { kind: owner.kind, name: owner.name, block: owner.blockOwnerDeletion };
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
