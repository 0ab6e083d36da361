import type { Around } from "../filters/around.ts";
import { backendEncodingFilter } from "../filters/encoding/backend-encoding.ts";
import { grpcTransformFilter } from "../filters/transform/grpc-transform.ts";
import { backendTransformFilter } from "../filters/transform/transform-filter.ts";
import type { Filter } from "../pipeline/filter.ts";
import type { BackendSpec } from "./backend-spec.ts";
import type { GivenBackend } from "./create-backend.ts";

/** What calls pass that are sent to a backend, after the filters of their routes. */
export function backendFilters(
  kind: GivenBackend["kind"],
  { transform, encoding, cache }: BackendSpec,
  around: Pick<Around, "note" | "routeId">,
): readonly Filter[] {
  if (cache?.enabled === true)
    around.note({
      field: "spec.cache",
      message: "has no effect on backends: say it on the route",
      severity: "warning",
    });
  const transforms =
    transform &&
    (kind === "GRPCBackend" ? grpcTransformFilter(transform, around) : backendTransformFilter(transform, around));
  const formats = encoding && (kind === "GRPCBackend" ? noEncoding(around) : backendEncodingFilter(encoding, around));
  return [transforms, formats].filter((filter) => filter !== undefined);
}

function noEncoding({ note }: Pick<Around, "note">): undefined {
  note({ field: "spec.encoding", message: "has no effect on messages of gRPC", severity: "warning" });
}
