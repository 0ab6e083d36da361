import { AwsError } from "../aws-error.ts";
import type { Dialect } from "./dialect.ts";
import { jsonDialect } from "./json-dialect.ts";

/** DynamoDB: JSON, and its own name for faults of the service. */
export const dynamodbDialect: Dialect = {
  ...jsonDialect({ invalid: "ValidationException", throttled: "ThrottlingException" }),
  throttled: () => new AwsError("ThrottlingException", "Rate of requests exceeds the allowed throughput."),
  internal: () => new AwsError("InternalServerError", "Internal server error", { status: 500 }),
};
