import { StatusError } from "@gatewright/kube";

/** Whether a write was refused because the namespace is being deleted, along with all that is in it: no repetition can help. */
export function namespaceEnds(error: unknown): boolean {
  if (!(error instanceof StatusError) || error.code !== 403) return false;
  return error.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") ?? false;
}
