/** What a client is told when its request cannot be read. */
export type BadMessageStatus = 400 | 408 | 413 | 414 | 417 | 431 | 501 | 505;

/**
 * A message that is not what HTTP/1.1 says, or is beyond a limit. No retry helps; its sender has to send another one. Whoever meets
 * it answers `status` if that can still be done, and closes the connection: where the next message begins is not known.
 */
export class BadMessage extends Error {
  override readonly name = "BadMessage";
  readonly status: BadMessageStatus;
  /** Which rule was broken, as a line for people. Holds nothing of the message itself. */
  readonly reason: string;

  constructor(status: BadMessageStatus, reason: string) {
    super(reason);
    this.status = status;
    this.reason = reason;
  }
}
