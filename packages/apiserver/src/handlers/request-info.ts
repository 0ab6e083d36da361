/** What a URL and method ask for, before anything is looked up. */
export type RequestInfo = ResourceRequest | PathRequest;

export interface ResourceRequest {
  readonly type: "resource";
  readonly verb: Verb;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** What follows the subresource: proxies have it. Empty parts of it count. */
  readonly rest: readonly string[];
  /** The deprecated `/watch/` prefix was used. */
  readonly watchPrefix: boolean;
}

export interface PathRequest {
  readonly type: "path";
  readonly verb: string;
  readonly path: string;
}

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection" | "unknown";

const VERBS: Readonly<Record<string, Verb>> = {
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
  GET: "get",
  HEAD: "get",
};

/** Subresources of the Namespace object itself; everything else below a namespace is a resource in it. */
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

function splitGroup(parts: readonly string[]): { group: string; version: string; rest: readonly string[] } | undefined {
  if (parts[0] === "api" && parts.length >= 3) return { group: "", version: parts[1]!, rest: parts.slice(2) };
  if (parts[0] === "apis" && parts.length >= 4) return { group: parts[1]!, version: parts[2]!, rest: parts.slice(3) };
  return undefined;
}

function collectionVerb(method: string, query: URLSearchParams): Verb {
  if (method === "DELETE") return "deletecollection";
  if (method !== "GET" && method !== "HEAD") return VERBS[method] ?? "unknown";
  const watch = query.get("watch");
  return watch !== null && watch !== "false" && watch !== "0" ? "watch" : "list";
}

/** Reads the meaning of a URL. Paths with fewer parts than a resource has are plain paths (discovery, health). */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const parts = path.slice(1).split("/");
  if (parts.at(-1) === "") parts.pop();
  const split = splitGroup(parts);
  if (!split || path[0] !== "/") return { type: "path", verb: method.toLowerCase(), path };
  let { rest } = split;
  const watchPrefix = rest[0] === "watch" && rest.length > 1;
  if (watchPrefix) rest = rest.slice(1);
  let namespace = "";
  if (rest[0] === "namespaces" && rest.length > 1) {
    namespace = rest[1]!;
    if (rest.length > 2 && (namespace === "" || !NAMESPACE_SUBRESOURCES.has(rest[2]!))) rest = rest.slice(2);
  }
  // An empty part names nothing. That of a namespace means all of them.
  if (rest.slice(0, 3).includes("")) return { type: "path", verb: method.toLowerCase(), path };
  const [resource = "", name = "", subresource = "", ...more] = rest;
  let verb = name === "" ? collectionVerb(method, query) : (VERBS[method] ?? "unknown");
  if (watchPrefix && verb !== "unknown") verb = "watch";
  return {
    type: "resource",
    verb,
    group: split.group,
    version: split.version,
    namespace,
    resource,
    subresource,
    name,
    rest: more,
    watchPrefix,
  };
}
