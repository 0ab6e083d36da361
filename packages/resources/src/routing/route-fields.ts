import type { Rule } from "@gatewright/kube/define";
import { aggregate } from "./aggregate.ts";
import { authentication } from "./authentication.ts";
import { authorization } from "./authorization.ts";
import { cors } from "./cors.ts";
import { destinations } from "./destinations.ts";
import { compression } from "./encoding.ts";
import { headers } from "./header-changes.ts";
import { duration, filled } from "./plain-fields.ts";
import { rateLimit } from "./rate-limit.ts";
import { requestHosts } from "./request-hosts.ts";
import { maxSessions, requestLimits } from "./request-limits.ts";
import { routeCache } from "./response-cache.ts";
import { routeTls } from "./route-tls.ts";
import { security } from "./security-headers.ts";

/** What the specs of all kinds of routes have. */
export const routeFields = {
  hosts: requestHosts,
  route: destinations,
  timeout: duration("How long the whole answer may take, retries included. Default: as the gateway's settings say."),
  aggregate,
  authentication,
  authorization,
  cache: routeCache,
  compression,
  cors,
  headers,
  maxSessions,
  rateLimit,
  requestLimits,
  security,
  tls: routeTls,
};

const ASKS_MANY = "(has(self.aggregate) && self.aggregate.enabled)";

/** A route leads somewhere: to destinations, to many at once, or to one of these fields of its own. */
export const leadsSomewhere = (...others: readonly string[]): Rule => ({
  rule: [filled("self.route"), ASKS_MANY, ...others.map((field) => `has(self.${field})`)].join(" || "),
  message: `write route: where requests go${others.length > 0 ? `; or ${others.join(" or ")}` : ""}`,
});
