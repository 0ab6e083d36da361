import type { Finding } from "@gatewright/gateway";

/**
 * What kind of trouble it is. `Invalid`: a gateway would refuse it. `ReferenceMissing`: a Secret, a ConfigMap or a key of one is not
 * there. `NotPermitted`: it is in another namespace, which does not grant it. `BackendMissing`: a destination is neither a backend
 * nor a Service.
 */
export type ProblemReason = "Invalid" | "ReferenceMissing" | "NotPermitted" | "BackendMissing";

/** What is wrong with an object. With an error it is not delivered as it is. Never holds a secret. */
export interface Problem {
  readonly severity: "error" | "warning";
  readonly reason: ProblemReason;
  /** `spec.match[0].uri.regex`. */
  readonly field: string;
  readonly message: string;
}

/** What a gateway would say, as a problem: on one line. */
export function problemOf({ severity, field, message }: Finding): Problem {
  return { severity, reason: "Invalid", field, message: message.replaceAll(/\s*\n\s*/g, " ") };
}

/** `spec.timeout: must be a duration`: what people read, in status and in refusals. */
export function problemText({ field, message }: Pick<Problem, "field" | "message">): string {
  return `${field}: ${message}`;
}
