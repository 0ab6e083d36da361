import type { Clock } from "@gatewright/ports";
import { parseAccept } from "../handlers/negotiate.ts";
import type { ApiRequest, ApiResponse } from "../http/api-request.ts";
import type { ResourceRegistry } from "../resources/registry.ts";
import type { PathHandler } from "../server-route.ts";
import { OpenapiDocuments } from "./openapi-documents.ts";
import type { PreparedDocument } from "./openapi-documents.ts";

const YEAR_MS = 365 * 24 * 3600 * 1000;
const EMPTY = Buffer.alloc(0);

const JSON_TYPES: ReadonlySet<string> = new Set(["application/json", "application/*", "*/*"]);
/** What the answer is called, and the older name by which Go clients ask for it. */
const PROTOBUF_V2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const PROTOBUF_V2_ASKED = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/** Answers `/openapi/v2`, in JSON or protobuf, and `/openapi/v3`, in JSON only. */
export function openapiPaths(registry: ResourceRegistry, clock: Clock): PathHandler {
  const documents = new OpenapiDocuments(registry);
  return (request, path) => {
    if (path === "/openapi/v2") return answerV2(request, documents);
    if (path === "/openapi/v3" || path === "/openapi/v3/") {
      return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: documents.index() };
    }
    if (!path.startsWith("/openapi/v3/")) return undefined;
    const found = documents.group(path.slice("/openapi/v3/".length));
    if (!found) return { status: 404, headers: {}, body: EMPTY };
    if (!acceptedTypes(request).some((type) => JSON_TYPES.has(type))) return notAcceptable();
    const hash = request.query.get("hash") ?? "";
    if (hash === "") return document(request, found, {});
    if (hash !== found.hash) return moved(path, found);
    const expires = new Date(clock.now() + YEAR_MS).toUTCString().replace("GMT", "UTC");
    return document(request, found, { "cache-control": "public, immutable", expires });
  };
}

function answerV2(request: ApiRequest, documents: OpenapiDocuments): ApiResponse {
  for (const type of acceptedTypes(request)) {
    if (JSON_TYPES.has(type)) return document(request, documents.v2(), {});
    if (type === PROTOBUF_V2 || type === PROTOBUF_V2_ASKED) {
      return document(request, documents.v2Protobuf(), { "content-type": PROTOBUF_V2 });
    }
  }
  return notAcceptable();
}

function document(request: ApiRequest, { body, hash }: PreparedDocument, more: Record<string, string>): ApiResponse {
  const etag = `"${hash}"`;
  const headers = { "content-type": "application/json", etag, vary: "Accept", ...more };
  return request.headers["if-none-match"] === etag
    ? { status: 304, headers, body: EMPTY }
    : { status: 200, headers, body };
}

/** The client knows an older document: where the one of today is. */
function moved(path: string, { hash }: PreparedDocument): ApiResponse {
  const location = `${path}?hash=${hash}`;
  return {
    status: 301,
    headers: { "content-type": "application/json", etag: `"${hash}"`, vary: "Accept", location },
    body: EMPTY,
  };
}

function notAcceptable(): ApiResponse {
  return { status: 406, headers: { vary: "Accept" }, body: EMPTY };
}

/** What the client takes, best first. */
function acceptedTypes(request: ApiRequest): string[] {
  const accept = request.headers["accept"] ?? "";
  return accept.trim() === "" ? ["*/*"] : parseAccept(accept).map(({ type }) => type);
}
