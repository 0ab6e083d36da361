import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { fieldChanges } from "./field-changes.ts";
import type { FieldChangesSpec } from "./field-changes.ts";

/** `headers` of a route. */
export interface HeadersSpec {
  readonly request?: FieldChangesSpec;
  readonly response?: FieldChangesSpec;
}

/** Sets, adds and removes header fields in both directions. Undefined when there is nothing to change. */
export function headersFilter(spec: HeadersSpec, around: Pick<Around, "note">): Filter | undefined {
  const request = fieldChanges(spec.request, "spec.headers.request", around);
  const response = fieldChanges(spec.response, "spec.headers.response", around);
  if (request === undefined && response === undefined) return undefined;
  return {
    name: "headers",
    ...(request && {
      request(call) {
        request.apply(call.head.fields);
        return undefined;
      },
    }),
    ...(response && {
      response(_call, answer) {
        response.apply(answer.fields);
        return answer;
      },
    }),
  };
}
