import type { KeyObject } from "node:crypto";
import type { WireRequest } from "../wire.ts";
import { canonicalDigest } from "./canonical-request.ts";
import { decodeChunked } from "./chunked-body.ts";
import { sameText } from "./same-text.ts";
import { signatureClaim } from "./signature-claim.ts";
import type { SignatureClaim } from "./signature-claim.ts";
import { SignatureError } from "./signature-error.ts";
import { scopeText, sha256Hex, signLines, signingKey } from "./signing-key.ts";

/** What the checking side knows of an access key. */
export interface KnownKey {
  readonly secretAccessKey: string;
  /** Keys that expire have one, and requests must show it. */
  readonly sessionToken?: string;
  readonly expires?: number;
}

export interface VerifyOptions {
  readonly secretFor: (accessKeyId: string) => KnownKey | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** What a right signature proves. */
export interface VerifiedRequest {
  readonly accessKeyId: string;
  readonly region: string;
  readonly service: string;
  /** The request as it was meant: chunks of a body put together, headers that followed it among the headers. */
  readonly request: WireRequest;
}

/** How far the clocks of both ends may be apart. */
const MOST_SKEW_MS = 15 * 60_000;
const UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

/** Checks the signature (version 4) of a request, in its header or its query. Throws {@link SignatureError}. */
export function verifySignature(request: WireRequest, { secretFor, now }: VerifyOptions): VerifiedRequest {
  const claim = signatureClaim(request.path, request.headers);
  if (!claim) throw new SignatureError({ kind: "missing" });
  checkTime(claim, now);
  const known = secretFor(claim.accessKeyId);
  if (!known) throw new SignatureError({ kind: "unknown key", accessKeyId: claim.accessKeyId });
  const key = signingKey(known.secretAccessKey, claim.scope);
  const digest = canonicalDigest({
    method: request.method,
    path: request.path,
    headers: request.headers,
    signedHeaders: claim.signedHeaders,
    payloadHash: payloadHash(request, claim),
    service: claim.scope.service,
  });
  const expected = signLines(key, ["AWS4-HMAC-SHA256", claim.date, scopeText(claim.scope), digest]);
  if (!sameText(expected, claim.signature)) {
    throw new SignatureError({ kind: "mismatch", accessKeyId: claim.accessKeyId });
  }
  checkToken(known, claim, now);
  if (claim.scope.service === "s3") checkAllSigned(request, claim);
  const { accessKeyId, scope } = claim;
  return { accessKeyId, region: scope.region, service: scope.service, request: meant(request, claim, key) };
}

function checkTime({ signed, lifetime }: SignatureClaim, now: number): void {
  const tooEarly = signed > now + MOST_SKEW_MS;
  if (lifetime !== undefined && !tooEarly) {
    const expired = signed + lifetime;
    if (now > expired) throw new SignatureError({ kind: "presigned expired", expired, now });
  } else if (tooEarly || signed < now - MOST_SKEW_MS) {
    throw new SignatureError({ kind: "skewed", signed, now });
  }
}

/** After the signature, so that only who has the secret learns about the token. */
function checkToken({ sessionToken, expires }: KnownKey, claim: SignatureClaim, now: number): void {
  if (!sameText(sessionToken ?? "", claim.sessionToken ?? "")) throw new SignatureError({ kind: "wrong token" });
  if (expires !== undefined && now >= expires) throw new SignatureError({ kind: "token expired" });
}

/** S3 trusts the digest that a header tells and compares it with the body later; all others compute it. */
function payloadHash({ headers, body }: WireRequest, { presigned, scope }: SignatureClaim): string {
  if (scope.service !== "s3") return sha256Hex(body);
  const told = headers["x-amz-content-sha256"];
  if (presigned) return told ?? UNSIGNED_PAYLOAD;
  if (told !== undefined) return told;
  throw new SignatureError({
    kind: "incomplete",
    what: "Missing required header for this request: x-amz-content-sha256",
    presigned,
  });
}

function checkAllSigned({ headers }: WireRequest, { signedHeaders }: SignatureClaim): void {
  const signed = new Set(signedHeaders);
  const names = Object.keys(headers).filter(
    (name) => name.startsWith("x-amz-") && name !== "x-amz-content-sha256" && !signed.has(name),
  );
  if (names.length > 0) throw new SignatureError({ kind: "unsigned headers", names });
}

function meant(request: WireRequest, claim: SignatureClaim, key: KeyObject): WireRequest {
  const told = request.headers["x-amz-content-sha256"] ?? UNSIGNED_PAYLOAD;
  if (claim.scope.service !== "s3" || told === UNSIGNED_PAYLOAD) return request;
  if (!told.startsWith("STREAMING-")) {
    const computed = sha256Hex(request.body);
    if (sameText(computed, told)) return request;
    throw new SignatureError({ kind: "wrong body", claimed: told, computed });
  }
  const { date, scope, signature: seed } = claim;
  const signed = told.startsWith("STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
  const { body, trailers } = decodeChunked(request.body, signed ? { key, date, scope, seed } : undefined);
  const length = request.headers["x-amz-decoded-content-length"];
  if (length !== undefined && length !== String(body.length)) {
    throw new SignatureError({ kind: "wrong chunks", what: "the body has another length than it should have" });
  }
  return { ...request, headers: { ...withoutChunking(request.headers), ...trailers }, body };
}

function withoutChunking(headers: WireRequest["headers"]): Record<string, string> {
  const { "content-encoding": encoding = "", ...rest } = headers;
  const kept = encoding
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && each !== "aws-chunked")
    .join(",");
  return kept === "" ? rest : { ...rest, "content-encoding": kept };
}
