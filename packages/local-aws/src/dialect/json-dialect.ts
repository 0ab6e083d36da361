import { AwsError } from "../aws-error.ts";
import { violationsText } from "../validation/violation-words.ts";
import type { Dialect } from "./dialect.ts";
import { deniedText, MISMATCH, presignedExpiredText, skewText, TOKEN_EXPIRED, UNKNOWN_KEY } from "./signature-words.ts";

/** Services that speak JSON: ACM, and with codes of their own the tagging API. */
export function jsonDialect(codes: { readonly invalid: string; readonly throttled: string }): Dialect {
  return {
    badSignature(fault) {
      switch (fault.kind) {
        case "missing":
          return new AwsError("MissingAuthenticationTokenException", "Missing Authentication Token");
        case "incomplete":
          return new AwsError("IncompleteSignatureException", fault.what);
        case "unknown key":
        case "wrong token":
          return new AwsError("UnrecognizedClientException", UNKNOWN_KEY);
        case "token expired":
          return new AwsError("ExpiredTokenException", TOKEN_EXPIRED);
        case "skewed":
          return new AwsError("InvalidSignatureException", skewText(fault));
        case "presigned expired":
          return new AwsError("InvalidSignatureException", presignedExpiredText(fault));
        default:
          return new AwsError("InvalidSignatureException", MISMATCH);
      }
    },
    malformed: (why) => new AwsError("SerializationException", why),
    tooLarge: () => new AwsError("RequestEntityTooLargeException", "The request is too large.", { status: 413 }),
    unknownOperation: (name) => new AwsError("UnknownOperationException", `There is no operation ${name} here.`),
    invalid: (violations) => new AwsError(codes.invalid, violationsText(violations)),
    throttled: () => new AwsError(codes.throttled, "Rate exceeded"),
    denied: ({ arn }, action) => new AwsError("AccessDeniedException", deniedText(arn, action)),
    internal: () => new AwsError("InternalFailure", "An internal error occurred.", { status: 500 }),
  };
}
