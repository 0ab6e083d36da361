import type { SignatureFault } from "@gatewright/aws-wire";
import type { AwsError } from "../aws-error.ts";
import type { Caller } from "../service.ts";
import type { Violation } from "../validation/violation.ts";

/** How a service words what any service may have to say. */
export interface Dialect {
  badSignature(fault: SignatureFault): AwsError;
  /** The body does not say what the protocol asks for. */
  malformed(why: string): AwsError;
  tooLarge(): AwsError;
  /** There is no such operation, or none that is served here. */
  unknownOperation(name: string): AwsError;
  /** What is in the query of a request besides what its operation knows; undefined when that is passed over. Absent: always. */
  unservedQuery?(names: readonly string[]): AwsError | undefined;
  /** At least one. */
  invalid(violations: readonly [Violation, ...Violation[]]): AwsError;
  throttled(): AwsError;
  denied(caller: Caller, action: string): AwsError;
  /** A fault of our own. */
  internal(): AwsError;
}
