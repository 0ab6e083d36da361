/** The command line asks for something that cannot be done; the message says what to do instead. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
