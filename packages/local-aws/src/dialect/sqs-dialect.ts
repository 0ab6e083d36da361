import { AwsError } from "../aws-error.ts";
import type { Dialect } from "./dialect.ts";
import { jsonDialect } from "./json-dialect.ts";
import { deniedText } from "./signature-words.ts";

/** SQS: JSON on the wire, and the codes that it had before. */
export const sqsDialect: Dialect = {
  ...jsonDialect({ invalid: "InvalidParameterValue", throttled: "RequestThrottled" }),
  invalid: ([{ path, value, rule }]) => {
    const name = path.join(".");
    // Attributes of queues and messages are what its fixed sets of words are for.
    if (rule.kind === "enum") return new AwsError("InvalidAttributeName", `Unknown Attribute ${String(value)}.`);
    return rule.kind === "required"
      ? new AwsError("MissingParameter", `The request must contain the parameter ${name}.`)
      : new AwsError("InvalidParameterValue", `Value ${String(value)} for parameter ${name} is invalid.`);
  },
  throttled: () => new AwsError("RequestThrottled", "Rate exceeded", { status: 403 }),
  denied: ({ arn }, action) => new AwsError("AccessDenied", deniedText(arn, action), { status: 403 }),
};
