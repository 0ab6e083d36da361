import { fieldChanges } from "../filters/headers/field-changes.ts";
import { keptGate } from "../filters/max-sessions.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { BackendSpec } from "./backend-spec.ts";
import { changedUpstream } from "./changed-upstream.ts";
import type { BackendAround } from "./create-backend.ts";
import { backendCredentials } from "./credentials/backend-credentials.ts";
import { sessionLimited } from "./session-limited.ts";
import { sizeLimited } from "./size-limited.ts";

/** What a backend does with every request on its way to an endpoint, and with the answer: whoever sends it, and whichever route. */
export function upstreamChanges(
  spec: BackendSpec,
  id: string,
  around: BackendAround,
): (upstream: Upstream) => Upstream {
  const { kept, clock, note } = around;
  const { maxSessions, requestLimits, transform } = spec;
  const credentials = backendCredentials(spec.authentication, id, around);
  const metadata = transform?.metadata?.static;
  const requestFields = fieldChanges(
    metadata === undefined ? transform?.request?.headers : { set: metadata },
    metadata === undefined ? "spec.transform.request.headers" : "spec.transform.metadata.static",
    around,
  );
  const answerFields = fieldChanges(transform?.response?.headers, "spec.transform.response.headers", around);
  const gate = maxSessions?.enabled === true ? keptGate(maxSessions, kept, id, clock) : undefined;
  noteUnsupported(spec, note);
  return (upstream) => {
    let changed = upstream;
    if (credentials !== undefined) changed = changedUpstream(changed, credentials);
    if (requestFields !== undefined || answerFields !== undefined) {
      changed = changedUpstream(changed, {
        request(request) {
          if (requestFields === undefined) return request;
          const fields = request.fields.copy();
          requestFields.apply(fields);
          return { ...request, fields };
        },
        answer: (_request, answer) => answerFields?.apply(answer.fields),
      });
    }
    if (requestLimits !== undefined) changed = sizeLimited(changed, requestLimits);
    return gate === undefined ? changed : sessionLimited(changed, gate);
  };
}

const filled = (list: object | undefined): boolean => list !== undefined && Object.keys(list).length > 0;

/** Says what a backend asks for in vain. Routes have all of it. */
function noteUnsupported({ cache, encoding, transform }: BackendSpec, note: BackendAround["note"]): void {
  const asked: readonly (readonly [boolean, string])[] = [
    [cache?.enabled === true, "cache"],
    [filled(encoding?.request) || filled(encoding?.response), "encoding"],
    [transform?.request?.template !== undefined, "transform.request.template"],
    [filled(transform?.response?.allowFields), "transform.response.allowFields"],
    [filled(transform?.response?.denyFields), "transform.response.denyFields"],
    [filled(transform?.response?.fieldMappings), "transform.response.fieldMappings"],
    [filled(transform?.fieldMask?.paths), "transform.fieldMask"],
    [filled(transform?.metadata?.dynamic), "transform.metadata.dynamic"],
  ];
  for (const [isAsked, field] of asked) {
    if (isAsked) {
      note({ field: `spec.${field}`, message: "not supported on backends: say it on the route", severity: "warning" });
    }
  }
}
