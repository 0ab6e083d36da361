import type { WireRequest } from "@gatewright/aws-wire";

/** `bucket.s3.localhost`, `bucket.s3.eu-west-1.amazonaws.com`, and what clients make of `http://localhost:4566`: `bucket.localhost`. */
const WITH_BUCKET =
  /^(.+?)\.(?:s3(?:[.-][a-z0-9-]+)*\.(?:localhost|amazonaws\.com|localhost\.localstack\.cloud)|localhost)$/;
const WITHOUT = /^s3(?:[.-][a-z0-9-]+)*\.localhost$/;

/** A request to S3 with the bucket in its path, wherever the client had it. */
export function bucketInPath(request: WireRequest): WireRequest {
  const host = (request.headers["host"] ?? "").toLowerCase().replace(/:\d+$/, "");
  const bucket = WITHOUT.test(host) ? undefined : WITH_BUCKET.exec(host)?.[1];
  return bucket === undefined ? request : { ...request, path: `/${bucket}${request.path}` };
}
