import type { Answer } from "../../exchange/answer.ts";
import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { fieldChanges } from "../headers/field-changes.ts";
import type { FieldChanges, FieldChangesSpec } from "../headers/field-changes.ts";
import { requestTransform } from "./request-transform.ts";
import type { RequestTransform } from "./request-transform.ts";
import { responseTransform } from "./response-transform.ts";
import type { ResponseTransform } from "./response-transform.ts";
import type { ResponseTransformSpec, TransformSpec } from "./transform-spec.ts";

/** `transform` of a Backend. */
export interface BackendTransformSpec {
  readonly request?: { readonly headers?: FieldChangesSpec; readonly template?: string };
  readonly response?: Pick<ResponseTransformSpec, "allowFields" | "denyFields" | "fieldMappings"> & {
    readonly headers?: FieldChangesSpec;
  };
}

/** Changes bodies of JSON and header fields between a client and its backend. Undefined when there is nothing to change. */
export function transformFilter(spec: TransformSpec, around: Pick<Around, "note">): Filter | undefined {
  const request = requestTransform(spec.request ?? {}, "spec.transform.request", around);
  const response = responseTransform(spec.response ?? {}, "spec.transform.response", around);
  return filterOf(request, response);
}

/** The same for what one backend is sent and answers, in the form of a filter of each route to it. */
export function backendTransformFilter(spec: BackendTransformSpec, around: Pick<Around, "note">): Filter | undefined {
  const ahead = fieldChanges(spec.request?.headers, "spec.transform.request.headers", around);
  const back = fieldChanges(spec.response?.headers, "spec.transform.response.headers", around);
  const { template } = spec.request ?? {};
  const body = requestTransform(template === undefined ? {} : { template }, "spec.transform.request", around);
  const response = responseTransform(spec.response ?? {}, "spec.transform.response", around);
  const request: RequestTransform | undefined =
    ahead === undefined
      ? body
      : (call) => {
          ahead.apply(call.head.fields);
          return body?.(call);
        };
  return filterOf(request, back === undefined ? response : withFields(response, back));
}

function withFields(inner: ResponseTransform | undefined, changes: FieldChanges): ResponseTransform {
  const changed = (answer: Answer): Answer => {
    changes.apply(answer.fields);
    return answer;
  };
  return {
    prepare: (call) => inner?.prepare(call),
    apply(call, answer) {
      const got = inner?.apply(call, answer) ?? answer;
      return got instanceof Promise ? got.then(changed) : changed(got);
    },
  };
}

function filterOf(request: RequestTransform | undefined, response: ResponseTransform | undefined): Filter | undefined {
  if (request === undefined && response === undefined) return undefined;
  return {
    name: "transform",
    request(call) {
      response?.prepare(call);
      return request?.(call);
    },
    ...(response && { response: (call, answer) => response.apply(call, answer) }),
  };
}
