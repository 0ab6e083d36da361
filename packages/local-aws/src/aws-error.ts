/** A refusal in the words of the service: the code that clients decide by, its status, and a message for people. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;
  /** What the error says besides; S3 has elements such as BucketName. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Headers of the answer besides the usual ones, lower case; S3 tells the region of a bucket so, also where there is no body. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    code: string,
    message: string,
    options: {
      readonly status?: number;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.name = "AwsError";
    this.code = code;
    this.status = options.status ?? 400;
    this.details = options.details;
    this.headers = options.headers;
  }
}
