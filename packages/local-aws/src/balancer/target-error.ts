/** Why a target gave no answer. `status` is what the client gets. */
export class TargetError extends Error {
  readonly status: 502 | 503 | 504;

  constructor(status: 502 | 503 | 504, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TargetError";
    this.status = status;
  }
}
