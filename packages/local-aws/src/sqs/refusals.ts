import { AwsError } from "../aws-error.ts";

export const noQueue = (): AwsError =>
  new AwsError("AWS.SimpleQueueService.NonExistentQueue", "The specified queue does not exist.");

/** For operations that know queues by their ARN. `what` is the parameter that named it. */
export const noResource = (what: string): AwsError =>
  new AwsError(
    "ResourceNotFoundException",
    `The resource that you specified for the ${what} parameter doesn't exist.`,
    {
      status: 404,
    },
  );

export const invalidParameter = (message: string): AwsError => new AwsError("InvalidParameterValue", message);

export const missingParameter = (name: string): AwsError =>
  new AwsError("MissingParameter", `The request must contain the parameter ${name}.`);

export const unknownAttribute = (name: string): AwsError =>
  new AwsError("InvalidAttributeName", `Unknown Attribute ${name.slice(0, 128)}.`);

export const invalidAttribute = (name: string): AwsError =>
  new AwsError("InvalidAttributeValue", `Invalid value for the parameter ${name}.`);

/** A number that is out of its bounds, or the bounds' limits are not kept. */
export function checkRange(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw invalidParameter(
    `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${least} and ${most}, if provided.`,
  );
}

/** A code of SQS's own, whose wire name has its namespace in front. */
export function sqsError(name: string, message: string, status = 400): AwsError {
  return new AwsError(`AWS.SimpleQueueService.${name}`, message, { status });
}
