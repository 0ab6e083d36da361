import { AwsError } from "../aws-error.ts";

/** Refusals in the words of DynamoDB. */
export const invalid = (message: string): AwsError => new AwsError("ValidationException", message);

export const wrongValues = (message: string): AwsError =>
  invalid(`One or more parameter values were invalid: ${message}`);

export const limitExceeded = (message: string): AwsError =>
  new AwsError("LimitExceededException", `Subscriber limit exceeded: ${message}`);

export const noTable = (name: string): AwsError =>
  new AwsError("ResourceNotFoundException", `Requested resource not found: Table: ${name} not found`);

/** Operations on items tell no name. */
export const noTableForItems = (): AwsError =>
  new AwsError("ResourceNotFoundException", "Requested resource not found");

export const noResource = (arn: string): AwsError =>
  new AwsError("ResourceNotFoundException", `Requested resource not found: ResourcArn: ${arn} not found`);

/** While a table comes or goes little is told of it. */
export const untoldWhile = (status: string): AwsError =>
  invalid(`Cannot describe time to live while table is in ${status} state`);

const DOING: Readonly<Record<string, string>> = { CREATING: "created", UPDATING: "updated", DELETING: "deleted" };

export const inUse = (status: string, name: string): AwsError =>
  new AwsError(
    "ResourceInUseException",
    `Attempt to change a resource which is still in use: Table is being ${DOING[status] ?? "changed"}: ${name}`,
  );

/** For what AWS has and is not here. */
export const notServed = (what: string): AwsError => invalid(`${what} is not served by the local AWS`);
