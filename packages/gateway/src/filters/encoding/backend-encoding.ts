import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { chosenAlgorithm } from "../compression/accept-encoding.ts";
import type { Algorithm } from "../compression/accept-encoding.ts";
import { compressedSource } from "../compression/compressed-source.ts";
import { bodyFormat } from "./body-format.ts";
import { encodingFilter } from "./encoding-filter.ts";

/** `encoding` of a backend. */
export interface BackendEncodingSpec {
  /** What the backend reads. */
  readonly request?: { readonly contentType?: string; readonly compression?: string };
  /** What it writes. */
  readonly response?: { readonly contentType?: string; readonly compression?: string };
}

/**
 * Brings requests to the format and compression that a backend reads, and asks it for the compression that it writes if the client
 * takes that. Answers without a type get the one that the backend writes. In the form of a filter of each route to the backend.
 */
export function backendEncodingFilter(
  spec: BackendEncodingSpec,
  around: Pick<Around, "note" | "routeId">,
): Filter | undefined {
  const format = encodingFilter(spec.request === undefined ? {} : { request: spec.request }, around);
  const pack = algorithmOf(spec.request?.compression, "spec.encoding.request.compression", around);
  const ask = spec.response?.compression;
  const asked = algorithmOf(ask, "spec.encoding.response.compression", around);
  const type = spec.response?.contentType;
  const written = type === undefined || type === "" ? undefined : (bodyFormat(type)?.contentType ?? type);
  if (format === undefined && pack === undefined && (ask ?? "") === "" && written === undefined) return undefined;
  return {
    name: "encoding",
    async request(call) {
      const { fields } = call.head;
      if (call.isGrpc || call.head.upgrade !== undefined) return undefined;
      if (ask !== undefined && ask !== "") {
        const taken = asked && chosenAlgorithm(fields.all("accept-encoding").join(","), [asked]);
        fields.set("accept-encoding", taken ?? "identity");
      }
      const refusal = await format?.request?.(call);
      if (refusal !== undefined) return refusal;
      if (pack !== undefined && call.body !== undefined && call.body.length !== 0 && !fields.has("content-encoding")) {
        call.body = compressedSource(call.body, pack);
        fields.set("content-encoding", pack);
        for (const name of ["content-md5", "digest", "content-digest"]) fields.remove(name);
      }
      return undefined;
    },
    response(_call, answer) {
      const isBare = answer.body !== undefined && answer.origin === undefined && !answer.fields.has("content-type");
      if (written !== undefined && isBare) answer.fields.set("content-type", written);
      return answer;
    },
  };
}

function algorithmOf(name: string | undefined, field: string, around: Pick<Around, "note">): Algorithm | undefined {
  if (name === undefined || name === "" || name === "none") return undefined;
  if (name === "gzip" || name === "deflate" || name === "br" || name === "zstd") return name;
  around.note({ field, message: "has to be gzip, deflate, br, zstd or none", severity: "error" });
  return undefined;
}
