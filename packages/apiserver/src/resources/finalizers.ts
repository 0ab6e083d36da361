/** Holds a deleted object until its dependents are gone. */
export const FOREGROUND = "foregroundDeletion";
/** Holds a deleted object until its dependents have forgotten it. */
export const ORPHAN = "orphan";
/** Holds a deleted namespace until it is empty. */
export const KUBERNETES = "kubernetes";

/** Whether a finalizer is one of the server's own, which need no domain. */
export function isStandardFinalizer(name: string): boolean {
  return name === FOREGROUND || name === ORPHAN || name === KUBERNETES;
}
