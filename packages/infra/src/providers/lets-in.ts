import type { Immutable } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";

/** Whether objects of a namespace may use a provider: of its own, and of those that it names. */
export function letsIn({ metadata, spec }: Immutable<AWSProvider>, namespace: string): boolean {
  const allowed = spec.allowedNamespaces ?? [];
  return metadata.namespace === namespace || allowed.some((each) => each === "*" || each === namespace);
}
