import { AwsError } from "../aws-error.ts";
import { pathText } from "../validation/violation-words.ts";
import type { Violation } from "../validation/violation.ts";
import type { Dialect } from "./dialect.ts";
import { jsonDialect } from "./json-dialect.ts";

/** ECR: JSON on the wire, and one parameter at a time in words of its own. */
export const ecrDialect: Dialect = {
  ...jsonDialect({ invalid: "InvalidParameterException", throttled: "ThrottlingException" }),
  invalid: ([{ path, rule }]) =>
    new AwsError(
      "InvalidParameterException",
      `Invalid parameter at '${pathText(path)}' failed to satisfy constraint: '${constraint(rule)}'`,
    ),
  internal: () => new AwsError("ServerException", "An internal error occurred.", { status: 500 }),
};

function constraint(rule: Violation["rule"]): string {
  switch (rule.kind) {
    case "required":
      return "must not be null";
    case "enum":
      return `must satisfy enum value set: [${rule.values.join(", ")}]`;
    default:
      return rule.min === undefined
        ? `must have ${rule.kind} less than or equal to ${rule.max}`
        : `must have ${rule.kind} greater than or equal to ${rule.min}`;
  }
}
