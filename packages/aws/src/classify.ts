import type { WireError } from "@gatewright/aws-wire";
import type { AwsErrorKind } from "./aws-call-error.ts";

const ABSENT = /NotFound(?:Exception|Fault)?$|^NoSuch|NonExistent/;

const THROTTLED: ReadonlySet<string> = new Set([
  "Throttling",
  "ThrottlingException",
  "ThrottledException",
  "RequestThrottled",
  "RequestThrottledException",
  "RequestLimitExceeded",
  "TooManyRequestsException",
  "BandwidthLimitExceeded",
  "PriorRequestNotComplete",
  "SlowDown",
  "EC2ThrottledException",
]);

/** Refusals before anything was done that pass by themselves, or with newer credentials. */
const PASSING: ReadonlySet<string> = new Set([
  "ExpiredToken",
  "ExpiredTokenException",
  "RequestExpired",
  "RequestTimeout",
  "RequestTimeoutException",
  "ServiceUnavailable",
  "ServiceUnavailableException",
  "Unavailable",
]);

/** What an error that AWS told means. `repeatable`: whether the call may be made twice. Absence is only believed by its code. */
export function classify({ code, status }: Pick<WireError, "code" | "status">, repeatable: boolean): AwsErrorKind {
  if (THROTTLED.has(code) || status === 429) return "throttled";
  if (PASSING.has(code) || status === 503) return "retry";
  if (status >= 500) return repeatable ? "retry" : "unknown";
  return ABSENT.test(code) ? "absent" : "terminal";
}
