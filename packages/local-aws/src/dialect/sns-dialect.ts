import { AwsError } from "../aws-error.ts";
import type { Dialect } from "./dialect.ts";
import { queryDialect } from "./query-dialect.ts";
import { deniedText } from "./signature-words.ts";

/** SNS: the query protocol, with codes of its own for wrong parameters and for who may not. */
export const snsDialect: Dialect = {
  ...queryDialect,
  invalid: ([{ path, value, rule }]) => {
    const name = path.join(".");
    return new AwsError(
      "InvalidParameter",
      rule.kind === "required"
        ? `Invalid parameter: ${name} Reason: no value for required parameter`
        : `Invalid parameter: ${name} Reason: ${String(value).slice(0, 64)} is not valid`,
    );
  },
  throttled: () => new AwsError("ThrottlingException", "Rate exceeded"),
  denied: ({ arn }, action) =>
    new AwsError("AuthorizationError", deniedText(arn, action.replace(/^sns:/, "SNS:")), { status: 403 }),
  internal: () => new AwsError("InternalError", "An internal error occurred.", { status: 500 }),
};
