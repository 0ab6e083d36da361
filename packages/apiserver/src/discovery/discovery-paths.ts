import { createHash } from "node:crypto";
import { notAcceptable } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { encoded } from "../handlers/encode.ts";
import { negotiate, parseAccept } from "../handlers/negotiate.ts";
import type { ApiRequest, ApiResponse } from "../http/api-request.ts";
import type { ResourceRegistry } from "../resources/registry.ts";
import type { PathHandler } from "../server-route.ts";
import { aggregatedDocument } from "./aggregated-document.ts";
import type { AggregatedVersion } from "./aggregated-document.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./legacy-documents.ts";
import { versionInfo } from "./version-info.ts";

const ONLY_PLAIN =
  "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf";

/** A document in its final bytes, and their hash for clients that have seen it. */
interface Prepared {
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * Answers `/version`, `/api`, `/apis` and what is below them without naming a resource. Aggregated documents are made
 * once for each state of the registry, when first asked for.
 */
export function discoveryPaths(registry: ResourceRegistry): PathHandler {
  let madeFor = -1;
  const prepared = new Map<string, Prepared>();
  const aggregated = (core: boolean, version: AggregatedVersion): Prepared => {
    if (madeFor !== registry.version) {
      prepared.clear();
      madeFor = registry.version;
    }
    const key = `${core} ${version}`;
    let document = prepared.get(key);
    if (!document) prepared.set(key, (document = prepare(aggregatedDocument(registry, core, version))));
    return document;
  };

  return (request, path) => {
    const parts = path.split("/").filter((part) => part !== "");
    const [root, group = "", version = ""] = parts;
    if (root === "version" && parts.length === 1) {
      const text = JSON.stringify(versionInfo(), undefined, 2);
      return { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from(text) };
    }
    if (root !== "api" && root !== "apis") return undefined;
    if (parts.length === 1) {
      const core = root === "api";
      const wanted = aggregatedVersion(request);
      if (wanted) return answerAggregated(request, aggregated(core, wanted), wanted);
      return legacy(request, core ? apiVersions(registry, request.headers["host"] ?? "") : apiGroupList(registry));
    }
    if (root === "api") return parts.length === 2 ? legacy(request, apiResourceList(registry, "", group)) : undefined;
    if (parts.length === 2) return legacy(request, apiGroup(registry, group));
    return parts.length === 3 ? legacy(request, apiResourceList(registry, group, version)) : undefined;
  };
}

function prepare(document: JsonObject): Prepared {
  const body = Buffer.from(`${JSON.stringify(document)}\n`);
  return { body, etag: `"${createHash("sha512").update(body).digest("hex").toUpperCase()}"` };
}

/** The aggregated version that the client likes better than the legacy format, if any. */
function aggregatedVersion(request: ApiRequest): AggregatedVersion | undefined {
  for (const { type, params } of parseAccept(request.headers["accept"] ?? "")) {
    if (type !== "application/json" && type !== "*/*" && type !== "application/*") continue;
    const as = params.get("as");
    if (as === undefined) return undefined;
    const version = params.get("v");
    if (as !== "APIGroupDiscoveryList" || params.get("g") !== "apidiscovery.k8s.io") continue;
    if (version === "v2" || version === "v2beta1") return version;
  }
  return undefined;
}

function answerAggregated(request: ApiRequest, { body, etag }: Prepared, version: AggregatedVersion): ApiResponse {
  const headers = { "cache-control": "public", etag, vary: "Accept" };
  if (request.headers["if-none-match"] === etag) return { status: 304, headers, body: Buffer.alloc(0) };
  // Clients take the body for aggregated only when these parameters come back.
  const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  return { status: 200, headers: { ...headers, "content-type": type }, body };
}

function legacy(request: ApiRequest, document: JsonObject | undefined): Promise<ApiResponse> | undefined {
  return document && encoded(200, document, negotiate(plainHeaders(request), request.query, false));
}

/** These documents have one shape only: what a client would accept as a Table, or as anything else, is not on offer. */
function plainHeaders({ headers }: ApiRequest): ApiRequest["headers"] {
  const accept = headers["accept"] ?? "";
  const plain = accept.split(",").filter((clause) => !/;\s*as=/.test(clause));
  if (accept.trim() !== "" && plain.length === 0) throw notAcceptable(ONLY_PLAIN);
  return { ...headers, accept: plain.join(",") };
}
