/** The lease was lost, and the process was told to end when that happens. Start it again. */
export class LeaseLostError extends Error {
  constructor() {
    super("the lease was lost: this process must not go on, start it again");
    this.name = "LeaseLostError";
  }
}
