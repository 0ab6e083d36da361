import { notFound } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import { keyOf } from "../writer/write-call.ts";
import { fromStorage } from "../writer/writer.ts";
import { waitForRevision } from "./freshness.ts";
import { parseObjectVersion } from "./list-options.ts";
import { tableOf } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { respondObject } from "./respond.ts";

/** Answers with one object, at least as new as the resourceVersion that the client asks for. */
export async function getObject(call: ResourceCall): Promise<ApiResponse> {
  const { info, resource, version, request, deps } = call;
  const asked = request.query.get("resourceVersion") ?? "";
  if (asked !== "") await waitForRevision(deps.store, deps.clock, parseObjectVersion(asked), request.signal);
  const table = tableOf(call);
  const entry = table.get(keyOf(resource, info.namespace, info.name));
  if (!entry) throw notFound(resource, info.name);
  return respondObject(call, 200, () => fromStorage(resource, table.decode(entry), version.version), entry);
}
