import { BodySyntaxError } from "@gatewright/kube";
import type { Answer } from "../../exchange/answer.ts";
import type { Source } from "../../exchange/body.ts";
import type { Fields } from "../../exchange/fields.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { addVary } from "../cache/vary.ts";
import { decodedBody } from "../decoded-body.ts";
import { changedBody } from "../transform/json-body.ts";
import { wholeBody } from "../whole-body.ts";
import { acceptedFormat } from "./accept.ts";
import { bodyFormat } from "./body-format.ts";
import type { BodyFormat } from "./body-format.ts";

/** `encoding` of a route. Formats are JSON, YAML and XML. */
export interface EncodingSpec {
  /** What the backend gets, whichever of the three a client sends. */
  readonly request?: { readonly contentType?: string };
  /** What clients get that do not ask for another of the three. */
  readonly response?: { readonly contentType?: string };
}

/**
 * Brings bodies from one format to another: of requests to what the backend reads, of answers to what the client takes. Other types
 * pass as they are. A request that cannot be read is refused with 400, one that is too large with 413; an answer becomes 502.
 */
export function encodingFilter(spec: EncodingSpec, around: Pick<Around, "note" | "routeId">): Filter | undefined {
  if (around.routeId.startsWith("GRPCRoute ")) {
    around.note({ field: "spec.encoding", message: "has no effect on messages of gRPC", severity: "warning" });
    return undefined;
  }
  const toBackend = formatOf(spec.request?.contentType, "spec.encoding.request.contentType", around);
  const toClient = formatOf(spec.response?.contentType, "spec.encoding.response.contentType", around);
  if (toBackend === undefined && toClient === undefined) return undefined;
  const wanted = new WeakMap<Call, BodyFormat>();
  return {
    name: "encoding",
    request(call) {
      const { fields } = call.head;
      if (call.isGrpc || call.head.upgrade !== undefined) return undefined;
      if (toClient !== undefined) {
        wanted.set(call, acceptedFormat(fields.get("accept"), toClient) ?? toClient);
        fields.remove("range");
        fields.set("accept-encoding", "identity");
      }
      if (toBackend !== undefined && fields.has("accept")) fields.set("accept", `${toBackend.contentType}, */*;q=0.5`);
      if (toBackend === undefined || call.body === undefined || call.body.length === 0) return undefined;
      return requestBody(call, call.body, toBackend);
    },
    response(call, answer) {
      const to = wanted.get(call);
      if (to === undefined || answer.status === 206) return answer;
      const from = bodyFormat(answer.fields.get("content-type"));
      if (from === undefined) return answer;
      addVary(answer.fields, "accept");
      if (from.name === to.name) return answer;
      answer.fields.remove("content-length");
      if (answer.body === undefined || answer.body.length === 0) return answer;
      return answerBody(answer, answer.body, from, to);
    },
  };
}

function formatOf(type: string | undefined, field: string, around: Pick<Around, "note">): BodyFormat | undefined {
  if (type === undefined || type === "") return undefined;
  const format = bodyFormat(type);
  if (format === undefined)
    around.note({ field, message: "bodies can be brought to JSON, YAML and XML only", severity: "error" });
  return format;
}

async function requestBody(call: Call, body: Source, to: BodyFormat): Promise<Answer | undefined> {
  const { fields } = call.head;
  const from = bodyFormat(fields.get("content-type"));
  if (from === undefined || from.name === to.name) return undefined;
  const packed = await wholeBody(body, limitOf(from, to), "request");
  if (!Buffer.isBuffer(packed)) return packed;
  const made = await converted(packed, fields, from, to);
  if (made === "too-large") return localAnswer(413, "body_too_large", "the body is too large");
  if (made === undefined) return localAnswer(400, "bad_body", `the body is no ${from.name} that can be read`);
  call.body = changedBody(made, fields);
  fields.set("content-type", to.contentType);
  return undefined;
}

async function answerBody(answer: Answer, body: Source, from: BodyFormat, to: BodyFormat): Promise<Answer> {
  const packed = await wholeBody(body, limitOf(from, to), "response");
  if (!Buffer.isBuffer(packed)) return packed;
  const made = await converted(packed, answer.fields, from, to);
  if (!Buffer.isBuffer(made)) return localAnswer(502, "answer_unreadable", "the answer of the backend cannot be read");
  answer.body = changedBody(made, answer.fields);
  answer.fields.set("content-type", to.contentType);
  return answer;
}

function limitOf(from: BodyFormat, to: BodyFormat): number {
  return Math.min(from.maxBytes, to.maxBytes);
}

async function converted(
  packed: Buffer,
  fields: Fields,
  from: BodyFormat,
  to: BodyFormat,
): Promise<Buffer | "too-large" | undefined> {
  const bytes = await decodedBody(packed, fields.all("content-encoding"), limitOf(from, to));
  if (bytes === "too-large") return bytes;
  if (!Buffer.isBuffer(bytes)) return undefined;
  try {
    return Buffer.from(to.write(from.read(bytes)));
  } catch (error) {
    if (error instanceof BodySyntaxError) return undefined;
    throw error;
  }
}
