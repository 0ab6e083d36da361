import { StatusError, notAcceptable } from "@gatewright/kube";
import type { ApiRequest } from "../http/api-request.ts";

/** How an object or a list is to be written. */
export interface Representation {
  readonly media: "json" | "yaml";
  readonly as: "object" | "table" | "partial" | "partial-list";
  /** The version of meta.k8s.io that a Table or PartialObjectMetadata is asked in. */
  readonly metaVersion: string;
  readonly pretty: boolean;
}

interface Clause {
  readonly type: string;
  readonly params: ReadonlyMap<string, string>;
  readonly quality: number;
}

const ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

const STREAMS = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

/** Clauses of an Accept header, best first; equal ones keep their order. */
export function parseAccept(header: string): Clause[] {
  const clauses = header.split(",").map((text): Clause => {
    const [type = "", ...rest] = text.split(";").map((part) => part.trim());
    const params = new Map<string, string>();
    for (const param of rest) {
      const equals = param.indexOf("=");
      if (equals > 0) params.set(param.slice(0, equals), param.slice(equals + 1).replaceAll('"', ""));
    }
    return { type: type.toLowerCase(), params, quality: Number(params.get("q") ?? 1) || 0 };
  });
  return clauses.filter((c) => c.type !== "").sort((a, b) => b.quality - a.quality);
}

function media(type: string): "json" | "yaml" | undefined {
  if (type === "application/json" || type === "*/*" || type === "application/*") return "json";
  return type === "application/yaml" ? "yaml" : undefined;
}

const KINDS: Readonly<Record<string, Representation["as"]>> = {
  Table: "table",
  PartialObjectMetadata: "partial",
  PartialObjectMetadataList: "partial-list",
};

function fromClause(clause: Clause, pretty: boolean): Representation | undefined {
  const chosen = media(clause.type);
  if (!chosen) return undefined;
  const as = clause.params.get("as");
  if (as === undefined) return { media: chosen, as: "object", metaVersion: "v1", pretty };
  const version = clause.params.get("v") ?? "";
  if (!Object.hasOwn(KINDS, as) || clause.params.get("g") !== "meta.k8s.io") return undefined;
  if (version !== "v1" && version !== "v1beta1") return undefined;
  return { media: chosen, as: KINDS[as]!, metaVersion: version, pretty };
}

/** People read these answers. */
const READERS = ["curl", "Wget", "Mozilla/5.0"];

function wantsPretty(query: URLSearchParams, userAgent: string): boolean {
  const asked = query.get("pretty");
  if (asked !== null) return asked === "1" || asked === "true";
  return READERS.some((reader) => userAgent.startsWith(reader));
}

/**
 * Picks the representation that the client likes best of those that exist, or refuses with 406. Custom resources word the
 * refusal in another way, as they do on the real server.
 */
export function negotiate(
  headers: Readonly<Record<string, string | undefined>>,
  query: URLSearchParams,
  isList: boolean,
  custom = false,
): Representation {
  const pretty = wantsPretty(query, headers["user-agent"] ?? "");
  const accept = headers["accept"] ?? "";
  if (accept.trim() === "") return { media: "json", as: "object", metaVersion: "v1", pretty };
  for (const clause of parseAccept(accept)) {
    const representation = fromClause(clause, pretty);
    if (!representation) continue;
    if (representation.as === "partial" && isList) {
      throw notAcceptable("you requested PartialObjectMetadata, but the requested object is a list");
    }
    if (representation.as === "partial-list" && !isList) {
      throw notAcceptable("you requested PartialObjectMetadataList, but the requested object is not a list");
    }
    return representation;
  }
  const known = parseAccept(accept).some((clause) => media(clause.type) !== undefined);
  throw custom || known
    ? notAcceptable(`only the following media types are accepted: ${ACCEPTED}`)
    : unavailable(isList);
}

/** As `negotiate`, for the events of a watch: each is one object, and there is no stream of YAML. */
export function negotiateWatch(
  headers: Readonly<Record<string, string | undefined>>,
  query: URLSearchParams,
  custom: boolean,
): Representation {
  const pretty = wantsPretty(query, headers["user-agent"] ?? "");
  for (const clause of parseAccept(headers["accept"] ?? "")) {
    const chosen = fromClause(clause, pretty);
    if (chosen?.media === "yaml") throw notAcceptable(`only the following media types are accepted: ${STREAMS}`);
    if (chosen) return chosen;
  }
  return negotiate(headers, query, true, custom);
}

/** How to write a Status. Those who accept nothing that we have get JSON to read. */
export function errorRepresentation(request: Pick<ApiRequest, "headers" | "query">): Representation {
  const pretty = wantsPretty(request.query, request.headers["user-agent"] ?? "");
  const accept = request.headers["accept"] ?? "";
  if (accept.trim() === "") return { media: "json", as: "object", metaVersion: "v1", pretty };
  for (const clause of parseAccept(accept)) {
    const chosen = fromClause(clause, pretty);
    if (chosen) return { ...chosen, as: "object" };
  }
  return { media: "json", as: "object", metaVersion: "v1", pretty: true };
}

function unavailable(isList: boolean): StatusError {
  const streams = isList ? `, ${STREAMS}` : "";
  const message = `406: Not Acceptable\n\nAvailable representations: ${ACCEPTED}${streams}`;
  return new StatusError({ code: 406, reason: "NotAcceptable", message, details: {} });
}
