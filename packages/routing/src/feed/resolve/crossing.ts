import { permitted } from "./permitted.ts";
import type { Resolving } from "./resolving.ts";

/** Something in another namespace. */
export interface Elsewhere {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Whether the object may refer to this; says so if it may not. What is in its own namespace it always may. */
export function mayRefer(to: Elsewhere, field: string, resolving: Resolving): boolean {
  const { from, namespace, around, settings, problems } = resolving;
  if (to.namespace === namespace || settings.crossNamespace === "allow") return true;
  const answer = permitted({ from: { ...from, namespace }, to }, around);
  if (answer === undefined) resolving.waiting = true;
  if (answer !== false) return answer === true;
  const message = `${to.kind} ${to.namespace}/${to.name} is in another namespace, and no ReferenceGrant there allows it for ${from.kind}s of ${namespace}`;
  problems.push({ severity: "error", reason: "NotPermitted", field, message });
  return false;
}
