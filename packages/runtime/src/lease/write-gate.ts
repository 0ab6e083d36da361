/** The lease ended, or may have: somebody else may be writing. Retrying helps once this process leads again. */
export class NotLeadingError extends Error {
  /** Whether the write had left already: then it may have been done. */
  readonly sent: boolean;

  constructor({ sent }: { readonly sent: boolean } = { sent: false }) {
    super(
      sent
        ? "the lease may have ended during this write, so its answer was not awaited; it may have been done"
        : "this process does not hold the lease, so it does not write",
    );
    this.name = "NotLeadingError";
    this.sent = sent;
  }
}

/** Whether this process may write now. */
export interface WriteGate {
  /** Throws {@link NotLeadingError} unless the lease is certain to be held at this moment. */
  check(): void;
  /** Until when the lease is certain to be held, on the monotonic clock; -Infinity when it is not. */
  validUntil(): number;
}

/** The gate of a process that needs no lease. */
export const openGate: WriteGate = { check() {}, validUntil: () => Number.POSITIVE_INFINITY };
