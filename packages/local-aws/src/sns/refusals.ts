import { AwsError } from "../aws-error.ts";

/** Refusals in the words of SNS. */
export const invalid = (what: string): AwsError => new AwsError("InvalidParameter", `Invalid parameter: ${what}`);

export const noTopic = (): AwsError => new AwsError("NotFound", "Topic does not exist", { status: 404 });

export const noSubscription = (): AwsError => new AwsError("NotFound", "Subscription does not exist", { status: 404 });

export const noResource = (): AwsError => new AwsError("ResourceNotFound", "Resource does not exist", { status: 404 });

export const notAuthorized = (caller: string, action: string, arn: string): AwsError =>
  new AwsError(
    "AuthorizationError",
    `User: ${caller} is not authorized to perform: SNS:${action} on resource: ${arn} because no resource-based policy allows the SNS:${action} action`,
    { status: 403 },
  );
