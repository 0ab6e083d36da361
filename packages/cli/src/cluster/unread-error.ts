import type { Unreadable } from "@gatewright/explain";

/** What had to be read was not, and what is asked is therefore not found out. */
export class UnreadError extends Error {
  constructor({ attempt, message }: Unreadable) {
    super(`could not ${attempt}: ${message}`);
    this.name = "UnreadError";
  }
}
