/** What stands in the way of credentials. */
export type CredentialsProblem =
  /** Nothing says where they come from. */
  | "NotConfigured"
  /** A token file cannot be read, is empty, or holds what is no token. */
  | "TokenUnusable"
  /** They would come from a host that nobody should be asked at. */
  | "HostNotAllowed"
  /** Who gives them refused. */
  | "Refused"
  /** Who gives them was not reached, or is in trouble. */
  | "NoAnswer"
  /** What came is no credentials. */
  | "MalformedAnswer";

/** There are no credentials. Tells where they were looked for and never what was found there. */
export class CredentialsError extends Error {
  readonly code: CredentialsProblem;
  /** Whether the same may work later, with nothing changed by anybody. */
  readonly passing: boolean;
  /** What a person can do. */
  readonly remedy: string;

  constructor(
    told: { readonly code: CredentialsProblem; readonly message: string; readonly remedy: string },
    options?: { readonly cause?: unknown },
  ) {
    super(told.message, options);
    this.name = "CredentialsError";
    this.code = told.code;
    this.passing = told.code === "NoAnswer" || told.code === "TokenUnusable";
    this.remedy = told.remedy;
  }
}
