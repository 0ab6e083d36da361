import type { WireError, WireResponse } from "@gatewright/aws-wire";
import type { AwsErrorKind } from "./aws-call-error.ts";

const ABSENT = /NotFound(?:Exception|Fault|Error)?$|^NoSuch|NonExistent|^QueueDoesNotExist$/;

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
  "KmsThrottled",
  "KMSThrottling",
  "KMSThrottlingException",
  "ProvisionedThroughputExceededException",
  "TransactionInProgressException",
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
  "OperationAborted",
  "ConcurrentAccess",
  "ConcurrentModification",
  "EntityTemporarilyUnmodifiable",
  "IDPCommunicationError",
  "RequestInTheFuture",
]);

/**
 * The code of an answer without a body, as S3 answers HEAD. Only where AWS itself answered, which its request id shows: what stands
 * between answers 404 too.
 */
export function bodilessCode({ status, headers, body }: WireResponse): string | undefined {
  if (body.length > 0 || headers["x-amz-request-id"] === undefined) return undefined;
  return BODILESS.get(status);
}

const BODILESS: ReadonlyMap<number, string> = new Map([
  [301, "PermanentRedirect"],
  [400, "BadRequest"],
  [403, "Forbidden"],
  [404, "NotFound"],
]);

/** What an error that AWS told means. `repeatable`: whether the call may be made twice. Absence is only believed by its code. */
export function classify({ code, status }: Pick<WireError, "code" | "status">, repeatable: boolean): AwsErrorKind {
  if (THROTTLED.has(code) || status === 429) return "throttled";
  if (PASSING.has(code) || status === 503) return "retry";
  if (status >= 500) return repeatable ? "retry" : "unknown";
  return ABSENT.test(code) ? "absent" : "terminal";
}
