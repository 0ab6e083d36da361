import { AwsError } from "../aws-error.ts";

/** Refusals in the words of Secrets Manager. */
export const noSecret = (): AwsError =>
  new AwsError("ResourceNotFoundException", "Secrets Manager can't find the specified secret.");

export const noValue = (what: string): AwsError =>
  new AwsError("ResourceNotFoundException", `Secrets Manager can't find the specified secret value for ${what}`);

export const invalidParameter = (message: string): AwsError => new AwsError("InvalidParameterException", message);

export const invalidRequest = (message: string): AwsError => new AwsError("InvalidRequestException", message);

export const exists = (message: string): AwsError => new AwsError("ResourceExistsException", message);

export const limitExceeded = (message: string): AwsError => new AwsError("LimitExceededException", message);

export const badToken = (): AwsError => new AwsError("InvalidNextTokenException", "The NextToken value is invalid.");

export const markedForDeletion = (): AwsError =>
  invalidRequest("You can't perform this operation on the secret because it was marked for deletion.");
