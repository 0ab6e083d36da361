import { hash } from "node:crypto";
import type { ServiceName, WireRequest } from "@gatewright/aws-wire";

/** The digest of a body as a header: S3 refuses most documents that come without one. No other service asks for it. */
export function bodyDigest(
  service: ServiceName,
  { body }: Pick<WireRequest, "body">,
): Readonly<Record<string, string>> {
  return service === "s3" && body.length > 0 ? { "content-md5": hash("md5", body, "base64") } : {};
}
