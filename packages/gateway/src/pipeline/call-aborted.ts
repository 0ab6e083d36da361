/** A call is over before it was done: its client is gone, or it took too long. */
export class CallAborted extends Error {
  override readonly name = "CallAborted";
  readonly reason: "client_gone" | "timeout";

  constructor(reason: "client_gone" | "timeout") {
    super(reason === "timeout" ? "the call took too long" : "the client is gone");
    this.reason = reason;
  }
}
