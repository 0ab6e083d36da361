import { amzDate, parseAmzDate } from "./amz-date.ts";
import { SignatureError } from "./signature-error.ts";
import type { CredentialScope } from "./signing-key.ts";

/** What a request says of its own signature, in a header or in the query. Nothing of it is proved. */
export interface SignatureClaim {
  readonly presigned: boolean;
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** When it was signed, in the form of `x-amz-date`, */
  readonly date: string;
  /** and in milliseconds. */
  readonly signed: number;
  readonly sessionToken: string | undefined;
  /** Milliseconds that a presigned request is good for. */
  readonly lifetime: number | undefined;
}

type Headers = Readonly<Record<string, string>>;

const MAX_LIFETIME_SECONDS = 7 * 24 * 3600;

/** The claim of a request; undefined when it is not signed. Throws {@link SignatureError} when it is half signed. */
export function signatureClaim(path: string, headers: Headers): SignatureClaim | undefined {
  const authorization = headers["authorization"];
  if (authorization?.startsWith("AWS ") === true) throw new SignatureError({ kind: "old version" });
  if (authorization !== undefined) return headerClaim(authorization, headers);
  const cut = path.indexOf("?");
  const query = new URLSearchParams(cut < 0 ? "" : path.slice(cut + 1));
  if (query.has("AWSAccessKeyId") && query.has("Signature")) throw new SignatureError({ kind: "old version" });
  return query.has("X-Amz-Algorithm") || query.has("X-Amz-Signature") ? queryClaim(query) : undefined;
}

function headerClaim(authorization: string, headers: Headers): SignatureClaim {
  const refuse = (what: string): SignatureError => new SignatureError({ kind: "incomplete", what, presigned: false });
  const [algorithm = "", ...rest] = authorization.split(" ");
  if (algorithm !== "AWS4-HMAC-SHA256") throw refuse("Unsupported AWS 'algorithm'");
  const fields = new Map(
    rest
      .join(" ")
      .split(",")
      .map((field): [string, string] => {
        const equals = field.indexOf("=");
        return [field.slice(0, equals).trim(), field.slice(equals + 1).trim()];
      }),
  );
  const field = (name: string): string => {
    const value = fields.get(name);
    if (value === undefined || value === "") throw refuse(`Authorization header requires '${name}' parameter.`);
    return value;
  };
  const credential = field("Credential");
  const signature = field("Signature");
  const signedHeaders = field("SignedHeaders");
  const date = headers["x-amz-date"] ?? headers["date"];
  if (date === undefined) {
    throw refuse("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.");
  }
  return {
    presigned: false,
    ...parsed({ credential, signature, signedHeaders, date }, refuse),
    sessionToken: headers["x-amz-security-token"],
    lifetime: undefined,
  };
}

function queryClaim(query: URLSearchParams): SignatureClaim {
  const refuse = (what: string): SignatureError => new SignatureError({ kind: "incomplete", what, presigned: true });
  const field = (name: string): string => {
    const value = query.get(name);
    if (value === null || value === "") throw refuse(`AWS query-string parameters must include '${name}'.`);
    return value;
  };
  if (field("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256") throw refuse("X-Amz-Algorithm only supports AWS4-HMAC-SHA256");
  const expires = field("X-Amz-Expires");
  const seconds = /^\d{1,7}$/.test(expires) ? Number(expires) : Number.NaN;
  if (!(seconds <= MAX_LIFETIME_SECONDS)) {
    throw refuse("X-Amz-Expires must be a number of seconds, at most a week (604800)");
  }
  const text = {
    credential: field("X-Amz-Credential"),
    signature: field("X-Amz-Signature"),
    signedHeaders: field("X-Amz-SignedHeaders"),
    date: field("X-Amz-Date"),
  };
  return {
    presigned: true,
    ...parsed(text, refuse),
    sessionToken: query.get("X-Amz-Security-Token") ?? undefined,
    lifetime: seconds * 1000,
  };
}

interface ClaimText {
  readonly credential: string;
  readonly signature: string;
  readonly signedHeaders: string;
  readonly date: string;
}

function parsed(
  text: ClaimText,
  refuse: (what: string) => SignatureError,
): Omit<SignatureClaim, "presigned" | "sessionToken" | "lifetime"> {
  const parts = /^([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request$/.exec(text.credential);
  if (!parts)
    throw refuse("Credential must have 5 slash-delimited elements: key, date, region, service, aws4_request.");
  const [, accessKeyId = "", day = "", region = "", service = ""] = parts;
  const signed = parseAmzDate(text.date);
  if (signed === undefined) throw refuse("Date must be in ISO-8601 'basic format'.");
  const date = amzDate(signed);
  if (date.slice(0, 8) !== day) {
    throw refuse("Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP.");
  }
  const signedHeaders = text.signedHeaders.split(";");
  if (!signedHeaders.includes("host")) throw refuse("'Host' or ':authority' must be a 'SignedHeader'.");
  return {
    accessKeyId,
    scope: { date: day, region, service },
    signedHeaders,
    signature: text.signature,
    date,
    signed,
  };
}
