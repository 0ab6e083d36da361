import type { WireRequest } from "../wire.ts";
import { amzDate } from "./amz-date.ts";
import { canonicalDigest } from "./canonical-request.ts";
import { scopeText, sha256Hex, signLines, signingKey } from "./signing-key.ts";

/** A key pair of an account; a session token comes with those that expire. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface SignOptions extends WireRequest {
  readonly credentials: AwsCredentials;
  readonly region: string;
  /** The signing name of the service. */
  readonly service: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Headers that proxies and HTTP libraries change on the way. */
const UNSIGNED: ReadonlySet<string> = new Set([
  "authorization",
  "connection",
  "content-length",
  "expect",
  "transfer-encoding",
  "user-agent",
  "x-amzn-trace-id",
]);

/** The headers of a request with its signature (version 4) among them. `host` must be there: it is what is signed. */
export function signRequest(options: SignOptions): Record<string, string> {
  const { method, path, body, credentials, region, service, now } = options;
  if (options.headers["host"] === undefined) throw new TypeError("a request without host cannot be signed");
  const date = amzDate(now);
  const payloadHash = options.headers["x-amz-content-sha256"] ?? sha256Hex(body);
  const headers: Record<string, string> = {
    ...options.headers,
    "x-amz-date": date,
    ...(service === "s3" && { "x-amz-content-sha256": payloadHash }),
    ...(credentials.sessionToken !== undefined && { "x-amz-security-token": credentials.sessionToken }),
  };
  const signedHeaders = Object.keys(headers)
    .filter((name) => !UNSIGNED.has(name))
    .toSorted();
  const scope = { date: date.slice(0, 8), region, service };
  const digest = canonicalDigest({ method, path, headers, signedHeaders, payloadHash, service });
  const key = signingKey(credentials.secretAccessKey, scope);
  const signature = signLines(key, ["AWS4-HMAC-SHA256", date, scopeText(scope), digest]);
  const credential = `Credential=${credentials.accessKeyId}/${scopeText(scope)}`;
  headers["authorization"] =
    `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signedHeaders.join(";")}, Signature=${signature}`;
  return headers;
}
