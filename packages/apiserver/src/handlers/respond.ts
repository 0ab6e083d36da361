import type { KubeObject } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import type { Entry } from "../store/store.ts";
import { encoded, jsonBytes } from "./encode.ts";
import { negotiate } from "./negotiate.ts";
import type { ResourceCall } from "./resource-call.ts";
import { parseIncludeObject, partialMetadata, table } from "./table.ts";

/**
 * Answers with one object in the representation that the client asked for. `entry` are the stored bytes of the same
 * object, sent as they are when they fit.
 */
export async function respondObject(
  call: ResourceCall,
  status: number,
  object: KubeObject | (() => Promise<KubeObject>),
  entry?: Entry,
): Promise<ApiResponse> {
  const { request, version, resource, deps } = call;
  const representation = negotiate(request.headers, request.query, false, call.resource.custom);
  const { media, as, metaVersion, pretty } = representation;
  if (entry && media === "json" && as === "object" && !pretty && resource.servesStoredBytes(version.version)) {
    return jsonBytes(status, entry.bytes);
  }
  const value = typeof object === "function" ? await object() : object;
  if (as === "partial") return encoded(status, partialMetadata(value, metaVersion), representation);
  if (as === "table") {
    const shape = {
      columns: version.columns,
      metaVersion,
      include: parseIncludeObject(request.query),
      now: deps.clock.now(),
    };
    const metadata = { resourceVersion: value.metadata.resourceVersion ?? "" };
    return encoded(status, table([value], metadata, shape), representation);
  }
  return encoded(status, value, representation);
}
