/** Makes the error that writers get when the store takes no writes now. */
export type Unavailable = (message: string, retryAfterSeconds?: number) => Error;

/** What a store must know of the values that it keeps, which are JSON to it. */
export interface ValueRules<T> {
  /** Labels to keep beside the encoded value, so that selectors need not decode it. Default: none. */
  readonly labelsOf?: (value: T) => Readonly<Record<string, string>> | undefined;
  /**
   * The last state of a value that was deleted at a revision, when only its last version is known: what watchers are told after a
   * restart. Given a value of its own, which it may change. Default: the last version.
   */
  readonly lastState?: (value: T, revision: number) => T;
  /** Whether a value is on its way out, so that writes to it are taken on a full disk too. Default: never. */
  readonly isLeaving?: (value: T) => boolean;
  /** Default: {@link StoreUnavailable}. */
  readonly unavailable?: Unavailable;
}

/** The store takes no writes now; the message says why and what can be done. Trying again can help. */
export class StoreUnavailable extends Error {
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = "StoreUnavailable";
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
