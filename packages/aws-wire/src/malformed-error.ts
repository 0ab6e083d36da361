/** Bytes that do not say what the protocol asks for. Says where, never what was there. */
export class MalformedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MalformedError";
  }
}
