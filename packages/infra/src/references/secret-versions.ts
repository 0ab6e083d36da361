import { hash } from "node:crypto";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";

/** Names the versions of what Secrets hold. */
export interface SecretVersions {
  /** Another one for each key. Changes when the value under it does; as far as this process knows, only then. Tells nothing of the value. */
  of(secret: Immutable<core.Secret>, key: string): string;
}

/** More than anybody refers to. The oldest are forgotten, which costs one needless write each. */
const MOST = 20_000;

/**
 * A Secret's resourceVersion also changes when somebody labels it. So a value that is the same as it was keeps the version under
 * which it was first seen. That is forgotten with the process: then a Secret that was labelled since is written once more.
 */
export function createSecretVersions(): SecretVersions {
  const known = new Map<string, { readonly digest: string; readonly version: string }>();
  return {
    of({ metadata: { uid = "", resourceVersion = "" }, data = {} }, key) {
      const id = `${uid} ${key}`;
      const digest = hash("sha256", Object.hasOwn(data, key) ? (data[key] ?? "") : "", "base64");
      const before = known.get(id);
      if (before?.digest === digest) return before.version;
      // Who points to another key of the same Secret means another value. Keys may be longer than a status has room for.
      const version = `${uid}/${resourceVersion}/${hash("sha256", key).slice(0, 12)}`;
      known.delete(id);
      known.set(id, { digest, version });
      if (known.size > MOST) for (const oldest of known.keys()) return (known.delete(oldest), version);
      return version;
    },
  };
}
