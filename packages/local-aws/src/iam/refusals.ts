import { AwsError } from "../aws-error.ts";

/** Refusals in the words of IAM. */
export const invalidValue = (message: string): AwsError => new AwsError("ValidationError", message);

export const invalidInput = (message: string): AwsError => new AwsError("InvalidInput", message);

export const malformedPolicy = (message: string): AwsError => new AwsError("MalformedPolicyDocument", message);

export const noEntity = (message: string): AwsError => new AwsError("NoSuchEntity", message, { status: 404 });

export const noRole = (name: string): AwsError => noEntity(`The role with name ${name} cannot be found.`);

export const noProfile = (name: string): AwsError => noEntity(`Instance Profile ${name} cannot be found.`);

export const alreadyExists = (message: string): AwsError =>
  new AwsError("EntityAlreadyExists", message, { status: 409 });

export const deleteConflict = (message: string): AwsError => new AwsError("DeleteConflict", message, { status: 409 });

/** More than the account may have. It is no throttling: waiting does not help. */
export const overQuota = (quota: string, most: number): AwsError =>
  new AwsError("LimitExceeded", `Cannot exceed quota for ${quota}: ${most}`, { status: 409 });
