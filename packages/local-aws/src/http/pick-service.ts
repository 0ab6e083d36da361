import type { WireRequest } from "@gatewright/aws-wire";
import { signatureClaim } from "@gatewright/aws-wire";
import type { ServedService } from "./served-service.ts";

/**
 * The service that a request is for: what its signature says it is meant for, or else what a request without one looks like.
 * Undefined when it is for one that is not served.
 */
export function pickService(served: readonly ServedService[], request: WireRequest): ServedService | undefined {
  const scope = claimedService(request);
  if (scope !== undefined) return served.find(({ model }) => model.signingName === scope);
  const target = request.headers["x-amz-target"];
  if (target !== undefined) return served.find(({ model }) => model.targetPrefix === target.split(".")[0]);
  const version = formVersion(request);
  if (version !== undefined) {
    return served.find(({ model }) => model.apiVersion === version && /^(?:query|ec2)$/.test(model.protocol));
  }
  const rest = served.find(
    ({ model }) => model.protocol === "rest-xml" && request.path.startsWith(`/${model.apiVersion}/`),
  );
  return rest ?? served.find(({ model }) => model.name === "s3");
}

/** The name in the scope of a signature, also of one that is broken. */
function claimedService({ path, headers }: WireRequest): string | undefined {
  try {
    return signatureClaim(path, headers)?.scope.service;
  } catch {
    // What is wrong with it is told by the service that it was meant for.
    return /Credential=[^/]+\/[^/]*\/[^/]*\/([^/,]+)\//.exec(headers["authorization"] ?? "")?.[1];
  }
}

/** Requests of the query protocol carry the version of their service. */
function formVersion({ path, headers, body }: WireRequest): string | undefined {
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  if (query.has("Action")) return query.get("Version") ?? "";
  if (headers["content-type"]?.startsWith("application/x-www-form-urlencoded") !== true) return undefined;
  const form = new URLSearchParams(Buffer.from(body).toString());
  return form.has("Action") ? (form.get("Version") ?? "") : undefined;
}
