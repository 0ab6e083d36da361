import { AwsCallError } from "@gatewright/aws";
import type { ServiceName } from "@gatewright/aws";

const CODE = "AtWork";

/**
 * What a kind's `read` rejects with while AWS works on a resource and does not tell its tags: whose it is is not known, so nothing is
 * decided about it. It is asked again soon.
 */
export function atWork(service: ServiceName, operation: string, message: string): AwsCallError {
  return new AwsCallError({ kind: "retry", code: CODE, service, operation, message });
}

export function isAtWork(error: unknown): error is AwsCallError {
  return error instanceof AwsCallError && error.code === CODE;
}
