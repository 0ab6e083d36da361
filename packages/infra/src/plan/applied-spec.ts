import { isObject } from "@gatewright/kube";
import type { Immutable, Json, JsonObject, KubeObject } from "@gatewright/kube";

/** Where kubectl keeps what it applied last. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The merge patch by which `kubectl apply` makes a stored object's spec that of a file: what the file has, without what it had before
 * and has no more. What others wrote stays. For an object that kubectl did not apply all that the file lacks goes, as for who applies
 * on the server and owns all of it.
 */
export function appliedSpec({ metadata, spec }: Immutable<KubeObject>, wanted: KubeObject): Json {
  return patchOf(lastSpec(metadata.annotations?.[LAST_APPLIED]) ?? asJson(spec), asJson(wanted.spec));
}

function lastSpec(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    const last = JSON.parse(text) as Json;
    return isObject(last) ? (last["spec"] ?? {}) : undefined;
  } catch {
    return undefined; // somebody else's words
  }
}

function patchOf(before: Json, wanted: Json): Json {
  if (!isObject(wanted) || !isObject(before)) return wanted;
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(wanted, key));
  const set = Object.entries(wanted).map(([key, value]) => [
    key,
    Object.hasOwn(before, key) ? patchOf(before[key] ?? null, value) : value,
  ]);
  return Object.fromEntries([...gone.map((key) => [key, null]), ...set]) as JsonObject;
}

function asJson(value: unknown): Json {
  return (value ?? {}) as Json;
}
