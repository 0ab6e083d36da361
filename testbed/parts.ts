import { envoyPart } from "./envoy/envoy-part.ts";
import { kubePart } from "./kube/kube-part.ts";
import { CURRENT_KUBERNETES, OLDEST_KUBERNETES } from "./kube/versions.ts";
import { motoPart } from "./moto/moto-part.ts";
import type { Part } from "./part.ts";
import { vaultPart } from "./vault/vault-part.ts";

export const PARTS: readonly Part[] = [
  kubePart(CURRENT_KUBERNETES),
  kubePart(OLDEST_KUBERNETES),
  motoPart,
  envoyPart,
  vaultPart,
];

/** A part by its name. `kube-1.35.2` names any version of Kubernetes. */
export function partNamed(name: string): Part | undefined {
  const version = /^kube-(1\.\d+\.\d+)$/.exec(name)?.[1];
  return PARTS.find((part) => part.name === name) ?? (version === undefined ? undefined : kubePart(version));
}
