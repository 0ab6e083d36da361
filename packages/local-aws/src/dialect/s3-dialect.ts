import { AwsError } from "../aws-error.ts";
import type { Dialect } from "./dialect.ts";
import { deniedText } from "./signature-words.ts";

const forbidden = (code: string, message: string, details?: Readonly<Record<string, unknown>>): AwsError =>
  new AwsError(code, message, { status: 403, ...(details && { details }) });

/** S3 passes over these, and so they may be anything; but a copy whose source is here only would be an upload of nothing. */
const PASSED_OVER = /^x-(?!amz-copy-source)/i;

/** S3, older than what the others agreed upon. */
export const s3Dialect: Dialect = {
  badSignature(fault) {
    switch (fault.kind) {
      case "missing":
        return forbidden("AccessDenied", "Access Denied");
      case "old version":
        return new AwsError(
          "InvalidRequest",
          "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.",
        );
      case "incomplete":
        return new AwsError(
          fault.presigned ? "AuthorizationQueryParametersError" : "AuthorizationHeaderMalformed",
          fault.what,
        );
      case "unknown key":
        return forbidden("InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.", {
          AWSAccessKeyId: fault.accessKeyId,
        });
      case "wrong token":
        return new AwsError("InvalidToken", "The provided token is malformed or otherwise invalid.");
      case "token expired":
        return new AwsError("ExpiredToken", "The provided token has expired.");
      case "skewed":
        return forbidden(
          "RequestTimeTooSkewed",
          "The difference between the request time and the current time is too large.",
          {
            RequestTime: new Date(fault.signed).toISOString(),
            ServerTime: new Date(fault.now).toISOString(),
            MaxAllowedSkewMilliseconds: 900_000,
          },
        );
      case "presigned expired":
        return forbidden("AccessDenied", "Request has expired", {
          Expires: new Date(fault.expired).toISOString(),
          ServerTime: new Date(fault.now).toISOString(),
        });
      case "unsigned headers":
        return forbidden("AccessDenied", "There were headers present in the request which were not signed", {
          HeadersNotSigned: fault.names.join(", "),
        });
      case "wrong body":
        return new AwsError(
          "XAmzContentSHA256Mismatch",
          "The provided 'x-amz-content-sha256' header does not match what was computed.",
          {
            details: {
              ClientComputedContentSHA256: fault.claimed,
              S3ComputedContentSHA256: fault.computed,
            },
          },
        );
      case "wrong chunks":
        return new AwsError("IncompleteBody", `The request body terminated unexpectedly: ${fault.what}.`);
      case "mismatch":
        return forbidden(
          "SignatureDoesNotMatch",
          "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
          { AWSAccessKeyId: fault.accessKeyId },
        );
    }
  },
  malformed: () =>
    new AwsError(
      "MalformedXML",
      "The XML you provided was not well-formed or did not validate against our published schema",
    ),
  tooLarge: () => new AwsError("EntityTooLarge", "Your proposed upload exceeds the maximum allowed size"),
  unknownOperation: () =>
    new AwsError("MethodNotAllowed", "The specified method is not allowed against this resource.", { status: 405 }),
  unservedQuery(names) {
    const meant = names.filter((name) => !PASSED_OVER.test(name));
    if (meant.length === 0) return undefined;
    const told = meant.map((name) => `"${name}"`).join(", ");
    return new AwsError("NotImplemented", `The query of the request has ${told}, which is not served here.`, {
      status: 501,
    });
  },
  invalid: ([{ path, value, rule }]) =>
    rule.kind === "enum" && path.length === 1
      ? new AwsError("InvalidArgument", `Invalid argument ${path.join(".")}.`, {
          details: { ArgumentName: path.join("."), ArgumentValue: value },
        })
      : s3Dialect.malformed(""),
  throttled: () => new AwsError("SlowDown", "Please reduce your request rate.", { status: 503 }),
  denied: ({ arn }, action) => forbidden("AccessDenied", deniedText(arn, action)),
  internal: () => new AwsError("InternalError", "We encountered an internal error. Please try again.", { status: 500 }),
};
