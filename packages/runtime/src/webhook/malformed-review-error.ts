/** The body is not the review that it should be. Only a wrong configuration or a stranger sends such a one: it is answered with 400. */
export class MalformedReviewError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MalformedReviewError";
  }
}
