import { AwsError } from "../aws-error.ts";
import type { Dialect } from "./dialect.ts";
import { queryDialect } from "./query-dialect.ts";

/** EC2 has names of its own for nearly everything. */
export const ec2Dialect: Dialect = {
  ...queryDialect,
  badSignature(fault) {
    switch (fault.kind) {
      case "missing":
        return new AwsError("MissingParameter", "The request must contain the parameter AWSAccessKeyId");
      case "incomplete":
        return queryDialect.badSignature(fault);
      case "skewed":
      case "presigned expired":
      case "token expired":
        return new AwsError("RequestExpired", "Request has expired.");
      default:
        return new AwsError("AuthFailure", "AWS was not able to validate the provided access credentials", {
          status: 401,
        });
    }
  },
  malformed: (why) => new AwsError("InvalidParameterValue", why),
  invalid: ([{ path, value, rule }]) => {
    const name = path.join(".");
    return rule.kind === "required"
      ? new AwsError("MissingParameter", `The request must contain the parameter ${name}`)
      : new AwsError("InvalidParameterValue", `Value (${String(value)}) for parameter ${name} is invalid.`);
  },
  throttled: () => new AwsError("RequestLimitExceeded", "Request limit exceeded.", { status: 503 }),
  denied: ({ arn }, action) =>
    new AwsError(
      "UnauthorizedOperation",
      `You are not authorized to perform this operation. User: ${arn} is not authorized to perform: ${action}`,
      { status: 403 },
    ),
  internal: () => new AwsError("InternalError", "An internal error has occurred", { status: 500 }),
};
