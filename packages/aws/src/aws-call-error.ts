import type { ServiceName } from "@gatewright/aws-wire";

/**
 * What a failed call means for who made it.
 * - `absent`: something that the call names does not exist. The only kind that says so.
 * - `throttled`: too many calls; nothing was done. It was tried again and the patience ended.
 * - `retry`: trouble that passes; nothing was done, or doing it again does no harm.
 * - `terminal`: refused for what was asked; the same again will be refused again.
 * - `unknown`: no answer to a call that must not be made twice. Look what is there before it is made again.
 */
export type AwsErrorKind = "absent" | "throttled" | "retry" | "terminal" | "unknown";

const LONGEST = 1_000;

/** A call that did not succeed. Holds nothing of the credentials. Its message is cut off where it gets long. */
export class AwsCallError extends Error {
  readonly kind: AwsErrorKind;
  /** AWS's own, `TooManyRules`; `NoAnswer` when none came. */
  readonly code: string;
  readonly service: ServiceName;
  readonly operation: string;
  /** AWS answered each time that it was asked, and refused: nothing can have come of it. */
  readonly didNothing: boolean;
  /** What AWS's support asks for. */
  readonly requestId: string | undefined;
  readonly #said: string;

  constructor(
    told: {
      readonly kind: AwsErrorKind;
      readonly code: string;
      readonly message: string;
      readonly service: ServiceName;
      readonly operation: string;
      readonly didNothing?: boolean;
      readonly requestId?: string | undefined;
    },
    options?: { readonly cause?: unknown },
  ) {
    const said = told.message.length > LONGEST ? `${told.message.slice(0, LONGEST)}…` : told.message;
    super(`${told.service} ${told.operation}: ${told.code}: ${said}`, options);
    this.#said = told.message;
    this.name = "AwsCallError";
    this.kind = told.kind;
    this.code = told.code;
    this.service = told.service;
    this.operation = told.operation;
    this.didNothing = told.didNothing ?? false;
    this.requestId = told.requestId;
  }

  /** The service's own words, all of them: there may be thousands. Logs show the message alone. */
  get said(): string {
    return this.#said;
  }
}

/** Whether a call failed because something that it names does not exist. */
export function isAbsent(error: unknown): boolean {
  return error instanceof AwsCallError && error.kind === "absent";
}
