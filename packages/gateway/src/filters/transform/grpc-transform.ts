import type { Call } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { entries } from "../headers/field-changes.ts";
import { dynamicField } from "./request-transform.ts";

/** `transform` of a GRPCRoute or a GRPCBackend. */
export interface GrpcTransformSpec {
  readonly metadata?: {
    readonly static?: Readonly<Record<string, string>>;
    /** Name to source: `x-user: claim.sub`. */
    readonly dynamic?: Readonly<Record<string, string>>;
  };
  readonly fieldMask?: { readonly paths?: readonly string[] };
}

const FIELD = "spec.transform";

/** Sets metadata of calls. Messages stay as they are: a field mask is noted as having no effect. */
export function grpcTransformFilter(spec: GrpcTransformSpec, around: Pick<Around, "note">): Filter | undefined {
  if ((spec.fieldMask?.paths ?? []).length > 0)
    around.note({
      field: `${FIELD}.fieldMask.paths`,
      message: "has no effect: messages are passed on as they are",
      severity: "warning",
    });
  const fixed = entries(spec.metadata?.static ?? {}, `${FIELD}.metadata.static`, around);
  const dynamic = Object.entries(spec.metadata?.dynamic ?? {}).flatMap(([name, source]) =>
    dynamicField(name, source, `${FIELD}.metadata.dynamic`, around),
  );
  for (const name of [...fixed.map(([name]) => name), ...Object.keys(spec.metadata?.dynamic ?? {})])
    if (/^grpc-|^content-type$/i.test(name))
      around.note({ field: `${FIELD}.metadata`, message: `${name} belongs to the protocol`, severity: "error" });
  if (fixed.length === 0 && dynamic.length === 0) return undefined;
  return {
    name: "transform",
    request(call: Call) {
      for (const [name, value] of fixed) call.head.fields.set(name, value);
      for (const set of dynamic) set(call);
      return undefined;
    },
  };
}
