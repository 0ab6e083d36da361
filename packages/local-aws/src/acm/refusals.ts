import { AwsError } from "../aws-error.ts";

export const invalid = (message: string): AwsError => new AwsError("ValidationException", message);

export const invalidParameter = (message: string): AwsError => new AwsError("InvalidParameterException", message);

export const invalidDomains = (message: string): AwsError =>
  new AwsError("InvalidDomainValidationOptionsException", message);

export const limitExceeded = (message: string): AwsError => new AwsError("LimitExceededException", message);

/** A value that does not look as it must; `path` as the wire spells it. */
export function patternMismatch(value: string, path: string, pattern: string): AwsError {
  return invalid(
    `1 validation error detected: Value '${value.slice(0, 256)}' at '${path}' failed to satisfy constraint: ` +
      `Member must satisfy regular expression pattern: ${pattern}`,
  );
}

export function notFound(arn: string, account: string): AwsError {
  return new AwsError("ResourceNotFoundException", `Could not find certificate ${arn} in account ${account}.`);
}

export function inProgress(arn: string): AwsError {
  return new AwsError("RequestInProgressException", `Certificate request is in progress: ${arn}`);
}
