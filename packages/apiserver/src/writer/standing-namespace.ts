import { getPath, notFound } from "@gatewright/kube";
import { namespaceTerminating } from "../admission/namespace-lifecycle.ts";
import type { AdmissionAttributes } from "../admission/admission.ts";
import type { Entry } from "../store/store.ts";
import type { WriterDeps } from "./writer.ts";

const NAMESPACES = { group: "", resource: "namespaces" };

/** The namespace of a creation as it is now, counting writes that are on their way to the disk. */
export function namespaceEntry(namespace: string, deps: WriterDeps): Entry | undefined {
  return namespace === "" ? undefined : deps.store.table("namespaces").head(namespace);
}

/**
 * Throws when a namespace that stood when admission looked no longer does. Asked in the same step as the write, so that
 * nothing is left in a namespace whose content has been deleted.
 */
export function checkStillStands(before: Entry | undefined, attributes: AdmissionAttributes, deps: WriterDeps): void {
  if (!before) return;
  const { namespace } = attributes;
  const now = namespaceEntry(namespace, deps);
  if (now === before) return;
  if (!now) throw notFound(NAMESPACES, namespace);
  const object = deps.store.table("namespaces").decode(now);
  if (getPath(object, "status", "phase") === "Terminating") throw namespaceTerminating(attributes);
}
