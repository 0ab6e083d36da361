import { factsOf } from "./answer-facts.ts";
import { AwsCallError } from "./aws-call-error.ts";

/** Some 200,000 resources with their tags, or 12,000 databases: more than an account has in a region. */
const MOST_BYTES = 64 * 1024 * 1024;

/** How much is kept of answers that belong together. Endpoints may be anybody's, and the memory is everybody's. */
export class AnswerBound {
  readonly #most: number;
  #bytes = 0;

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /** Counts an answer, and throws when there are too many bytes of them. */
  took(answer: object): void {
    this.#bytes += factsOf(answer)?.bytes ?? 0;
    if (this.#bytes > this.#most)
      throw endless(answer, `more than ${this.#most} bytes in answers that belong together`);
  }
}

/** What is thrown at an answer that is one too many: of the class of answers that are none of AWS's. */
export function endless(answer: object, message: string): Error {
  const call = factsOf(answer);
  return call === undefined
    ? new Error(message)
    : new AwsCallError({ ...call, kind: "retry", code: "MalformedAnswer", message });
}
