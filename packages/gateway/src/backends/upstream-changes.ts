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
  const { kept, clock } = around;
  const { maxSessions, requestLimits } = spec;
  const credentials = backendCredentials(spec.authentication, id, around);
  const gate = maxSessions?.enabled === true ? keptGate(maxSessions, kept, id, clock) : undefined;
  return (upstream) => {
    let changed = upstream;
    if (credentials !== undefined) changed = changedUpstream(changed, credentials);
    if (requestLimits !== undefined) changed = sizeLimited(changed, requestLimits);
    return gate === undefined ? changed : sessionLimited(changed, gate);
  };
}
