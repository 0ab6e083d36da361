import type { Answer } from "../../exchange/answer.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { directives } from "../cache/cache-control.ts";
import { addVary } from "../cache/vary.ts";
import { ALGORITHMS, chosenAlgorithm } from "./accept-encoding.ts";
import type { Algorithm } from "./accept-encoding.ts";
import { compressedSource } from "./compressed-source.ts";

/** `compression` of a route: a field of ours. */
export interface CompressionSpec {
  readonly enabled?: boolean;
  /** In the order of preference. Default: zstd, br, gzip, deflate. */
  readonly algorithms?: readonly string[];
  /** Bodies that are known to be smaller stay as they are. Default 1024. */
  readonly minSize?: number;
  /** `text/html`, `text/*`, `*+json`. Default: what is text. */
  readonly contentTypes?: readonly string[];
}

const DEFAULT_MIN_SIZE = 1024;
const DEFAULT_TYPES: readonly string[] = [
  "text/*",
  "application/json",
  "application/javascript",
  "application/xml",
  "application/yaml",
  "application/x-ndjson",
  "application/wasm",
  "application/graphql-response+json",
  "image/svg+xml",
  "*+json",
  "*+xml",
];

/** Fields about the bytes as they were, which no longer hold. */
const ABOUT_BYTES: readonly string[] = ["accept-ranges", "content-md5", "digest", "content-digest", "repr-digest"];

/**
 * Compresses answers for clients that take it. Left as they are: what is compressed already, parts of a body, answers without one,
 * what says `no-transform`, and types that do not gain. A strong validator becomes a weak one, since the bytes are others.
 */
export function compressionFilter(spec: CompressionSpec, around: Pick<Around, "note" | "routeId">): Filter | undefined {
  if (spec.enabled !== true) return undefined;
  if (around.routeId.startsWith("GRPCRoute ")) {
    around.note({ field: "spec.compression", message: "has no effect on messages of gRPC", severity: "warning" });
    return undefined;
  }
  const offered = offeredBy(spec, around);
  const fits = typeTest(spec.contentTypes ?? DEFAULT_TYPES);
  const minSize = spec.minSize ?? DEFAULT_MIN_SIZE;
  // What the client takes is asked before later filters change what the backend is told.
  const wanted = new WeakMap<Call, Algorithm>();
  return {
    name: "compression",
    request(call) {
      const { fields, upgrade } = call.head;
      if (upgrade !== undefined) return undefined;
      const accepted = fields.all("accept-encoding");
      const algorithm = accepted.length === 0 ? undefined : chosenAlgorithm(accepted.join(","), offered);
      if (algorithm !== undefined) wanted.set(call, algorithm);
      return undefined;
    },
    response(call, answer) {
      if (!fits(answer.fields.get("content-type")) || !mayChange(answer, call.head.method, minSize)) return answer;
      addVary(answer.fields, "accept-encoding");
      const algorithm = wanted.get(call);
      if (algorithm === undefined) return answer;
      // HEAD is told what GET would be told, except for the length, which nobody knows.
      if (call.head.method === "HEAD") {
        answer.body?.cancel();
        answer.body = undefined;
        answer.fields.remove("content-length");
      } else if (answer.body !== undefined) answer.body = compressedSource(answer.body, algorithm);
      answer.fields.set("content-encoding", algorithm);
      for (const name of ABOUT_BYTES) answer.fields.remove(name);
      const tag = answer.fields.get("etag");
      if (tag?.startsWith('"') === true) answer.fields.set("etag", `W/${tag}`);
      return answer;
    },
  };
}

function offeredBy(spec: CompressionSpec, { note }: Pick<Around, "note">): readonly Algorithm[] {
  const offered: Algorithm[] = [];
  for (const name of spec.algorithms ?? ALGORITHMS) {
    const known = ALGORITHMS.find((algorithm) => algorithm === name);
    if (known !== undefined) offered.push(known);
    else
      note({
        field: "spec.compression.algorithms",
        message: `${JSON.stringify(name)} is none of ${ALGORITHMS.join(", ")}`,
        severity: "error",
      });
  }
  return offered;
}

function mayChange(answer: Answer, method: string, minSize: number): boolean {
  const { status, body, fields } = answer;
  if (status < 200 || status === 204 || status === 206 || status === 304) return false;
  if (body === undefined && method !== "HEAD") return false;
  const length = body === undefined ? fields.get("content-length") : body.length;
  if (length !== undefined && Number(length) < Math.max(minSize, 1)) return false;
  if (fields.has("content-encoding") || fields.has("content-range")) return false;
  return !fields.has("cache-control") || !directives(fields.all("cache-control")).has("no-transform");
}

/** Whether a content type is one of those listed, parameters and letters aside. */
function typeTest(types: readonly string[]): (contentType: string | undefined) => boolean {
  const exact = new Set<string>();
  const prefixes: string[] = [];
  const suffixes: string[] = [];
  for (const written of types) {
    const type = written.toLowerCase();
    if (type === "*/*" || type === "*") prefixes.push("");
    else if (type.endsWith("/*")) prefixes.push(type.slice(0, -1));
    else if (type.startsWith("*")) suffixes.push(type.slice(1));
    else exact.add(type);
  }
  return (contentType) => {
    if (contentType === undefined) return false;
    const end = contentType.indexOf(";");
    const type = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
    if (type.startsWith("application/grpc")) return false;
    return (
      exact.has(type) ||
      prefixes.some((prefix) => type.startsWith(prefix)) ||
      suffixes.some((suffix) => type.endsWith(suffix))
    );
  };
}
