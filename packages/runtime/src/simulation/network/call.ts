import type { TransportRequest } from "../../transport/transport.ts";

/** What a request is about, read from its method and path. */
export interface Call {
  readonly verb: "get" | "list" | "watch" | "create" | "update" | "patch" | "apply" | "delete" | "deletecollection";
  /** The table of the server: `configmaps`, `deployments.apps`; the path itself for what is no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  /** The place among the calls of a program: `apply deployments.apps/status`. */
  readonly site: string;
  readonly writes: boolean;
  /** Of a Lease: calls by which processes agree on a leader, rather than do their work. */
  readonly lease: boolean;
  /** May be answered from a replica that lags: `resourceVersion` is `0`, or any that is not older than some. */
  readonly oldAllowed: boolean;
  /** Tied to a version that the server may have forgotten: a resumed watch, a later page. */
  readonly resumes: boolean;
  readonly query: URLSearchParams;
}

const RESOURCE_PATH =
  /^\/(?:api\/v1|apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/.))?\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/;

/** Reads a request. Never fails: what is no resource is called by its path. */
export function describeCall({ method, path, headers }: TransportRequest): Call {
  const cut = path.indexOf("?");
  const query = new URLSearchParams(cut < 0 ? "" : path.slice(cut + 1));
  const where = cut < 0 ? path : path.slice(0, cut);
  const [, group, namespace = "", plural, name = "", subresource = ""] = RESOURCE_PATH.exec(where) ?? [];
  const resource = plural === undefined ? where : group === undefined ? plural : `${plural}.${group}`;
  const verb = verbOf(method, name, query, contentType(headers));
  const version = query.get("resourceVersion") ?? "";
  const reads = verb === "get" || verb === "list" || verb === "watch";
  return {
    verb,
    resource,
    namespace,
    name,
    subresource,
    site: `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`,
    writes: !reads,
    lease: resource === "leases.coordination.k8s.io",
    oldAllowed: reads && version !== "" && !query.has("continue") && query.get("resourceVersionMatch") !== "Exact",
    resumes: query.has("continue") || (verb === "watch" && version !== "" && version !== "0"),
    query,
  };
}

function contentType(headers: TransportRequest["headers"]): string {
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (name.toLowerCase() === "content-type") return String(value);
  }
  return "";
}

function verbOf(method: string, name: string, query: URLSearchParams, type: string): Call["verb"] {
  switch (method) {
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return type.startsWith("application/apply-patch") ? "apply" : "patch";
    case "DELETE":
      return name === "" ? "deletecollection" : "delete";
    default: {
      const watch = query.get("watch");
      if (watch !== null && watch !== "false" && watch !== "0") return "watch";
      return name === "" ? "list" : "get";
    }
  }
}
