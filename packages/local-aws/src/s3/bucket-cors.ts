import type { WireRequest } from "@gatewright/aws-wire";
import type { CORSRule } from "@gatewright/aws-wire/types/s3";
import { AwsError } from "../aws-error.ts";
import type { CrossOrigin } from "../service.ts";
import type { Ground } from "./ground.ts";
import type { BucketRecord } from "./records.ts";

/** What a page wants to do. */
interface Wish {
  readonly origin: string;
  readonly method: string;
  /** Headers that it would send, in lower case. */
  readonly headers: readonly string[];
}

const METHODS = ["GET", "PUT", "HEAD", "POST", "DELETE"];

/** The rules of buckets for pages of other origins. As S3 has it, the first that fits counts. */
export function bucketCors({ store }: Ground): CrossOrigin {
  const bucketOf = ({ path }: WireRequest): BucketRecord | undefined =>
    store.bucketNamed(/^\/([^/?]*)/.exec(path)?.[1] ?? "");
  return {
    preflight(request) {
      const { origin, "access-control-request-method": method } = request.headers;
      if (origin === undefined) throw badRequest("Insufficient information. Origin request header needed.");
      if (method === undefined || !METHODS.includes(method)) {
        throw badRequest(`Invalid Access-Control-Request-Method: ${method ?? "null"}`);
      }
      const wish = { origin, method, headers: namesIn(request.headers["access-control-request-headers"]) };
      const bucket = bucketOf(request);
      if (bucket === undefined) throw forbidden("Bucket not found", wish);
      if (bucket.cors === undefined) throw forbidden("CORS is not enabled for this bucket.", wish);
      const told = answerTo(bucket.cors, wish);
      if (told === undefined) {
        throw forbidden(
          "This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.",
          wish,
        );
      }
      return told;
    },
    headersFor(request) {
      const { origin } = request.headers;
      const rules = bucketOf(request)?.cors;
      if (origin === undefined || rules === undefined) return {};
      return answerTo(rules, { origin, method: request.method, headers: [] }) ?? {};
    },
  };
}

function answerTo(rules: readonly CORSRule[], wish: Wish): Readonly<Record<string, string>> | undefined {
  for (const rule of rules) {
    const allowed = rule.AllowedOrigins.find((pattern) => fits(pattern, wish.origin));
    if (allowed === undefined || !rule.AllowedMethods.includes(wish.method)) continue;
    const patterns = (rule.AllowedHeaders ?? []).map((pattern) => pattern.toLowerCase());
    if (!wish.headers.every((name) => patterns.some((pattern) => fits(pattern, name)))) continue;
    // Configuration may hold what no header can carry.
    const exposed = (rule.ExposeHeaders ?? []).filter((name) => /^[\x21-\x7e]+$/.test(name));
    return {
      "access-control-allow-origin": allowed === "*" ? "*" : wish.origin,
      "access-control-allow-methods": rule.AllowedMethods.join(", "),
      ...(wish.headers.length > 0 && { "access-control-allow-headers": wish.headers.join(", ") }),
      ...(exposed.length > 0 && { "access-control-expose-headers": exposed.join(", ") }),
      ...(rule.MaxAgeSeconds !== undefined && { "access-control-max-age": String(rule.MaxAgeSeconds) }),
      ...(allowed !== "*" && { "access-control-allow-credentials": "true" }),
      vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
    };
  }
  return undefined;
}

/** Patterns have one asterisk at most. */
function fits(pattern: string, text: string): boolean {
  const [start = "", end] = pattern.split("*");
  if (end === undefined) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

function namesIn(header = ""): readonly string[] {
  return header
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
}

const badRequest = (message: string): AwsError => new AwsError("BadRequest", message);

const forbidden = (message: string, { method }: Wish): AwsError =>
  new AwsError("AccessForbidden", `CORSResponse: ${message}`, { status: 403, details: { Method: method } });
