import { NotSentError } from "./send.ts";

/** A request that was not sent because nobody may go where its host is. */
export class AddressRefusedError extends NotSentError {
  constructor(host: string) {
    super(`${host} is at an address that may not be used`);
    this.name = "AddressRefusedError";
  }
}
