import { AwsError } from "../aws-error.ts";
import { violationsText } from "../validation/violation-words.ts";
import type { Dialect } from "./dialect.ts";
import { deniedText, MISMATCH, presignedExpiredText, skewText, TOKEN_EXPIRED, UNKNOWN_KEY } from "./signature-words.ts";

/** Services of the query protocol, STS and ELBv2, and those that grew up beside them. */
export const queryDialect: Dialect = {
  badSignature(fault) {
    const forbidden = (code: string, message: string): AwsError => new AwsError(code, message, { status: 403 });
    switch (fault.kind) {
      case "missing":
        return forbidden("MissingAuthenticationToken", "Request is missing Authentication Token");
      case "incomplete":
        return new AwsError("IncompleteSignature", fault.what);
      case "unknown key":
      case "wrong token":
        return forbidden("InvalidClientTokenId", UNKNOWN_KEY);
      case "token expired":
        return forbidden("ExpiredToken", TOKEN_EXPIRED);
      case "skewed":
        return forbidden("SignatureDoesNotMatch", skewText(fault));
      case "presigned expired":
        return forbidden("SignatureDoesNotMatch", presignedExpiredText(fault));
      default:
        return forbidden("SignatureDoesNotMatch", MISMATCH);
    }
  },
  malformed: (why) => new AwsError("MalformedInput", why),
  tooLarge: () => new AwsError("RequestEntityTooLarge", "The request is too large.", { status: 413 }),
  unknownOperation: (name) =>
    name === ""
      ? new AwsError("MissingAction", "The request must contain the parameter Action")
      : new AwsError("InvalidAction", `The action ${name} is not valid for this web service.`),
  invalid: (violations) => new AwsError("ValidationError", violationsText(violations)),
  throttled: () => new AwsError("Throttling", "Rate exceeded"),
  denied: ({ arn }, action) => new AwsError("AccessDenied", deniedText(arn, action), { status: 403 }),
  internal: () => new AwsError("InternalFailure", "An internal error occurred.", { status: 500 }),
};

/** RDS names the one parameter that is wrong. */
export const rdsDialect: Dialect = {
  ...queryDialect,
  invalid: ([{ path, value, rule }]) => {
    const name = path.join(".");
    return rule.kind === "required"
      ? new AwsError("MissingParameter", `The request must contain the parameter ${name}.`)
      : new AwsError("InvalidParameterValue", `Invalid value ${String(value)} for ${name}.`);
  },
};

/** IAM has a name of its own for faults of its own. */
export const iamDialect: Dialect = {
  ...queryDialect,
  internal: () => new AwsError("ServiceFailure", "An internal error occurred.", { status: 500 }),
};

/** Route 53: other words for wrong input, the rest as the query services have it. */
export const route53Dialect: Dialect = {
  ...queryDialect,
  unknownOperation: () => new AwsError("UnknownOperationException", "There is no such operation.", { status: 404 }),
  invalid: (violations) => new AwsError("InvalidInput", violationsText(violations)),
};
