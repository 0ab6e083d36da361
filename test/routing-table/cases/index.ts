import type { RoutingCase } from "../routing-case.ts";
import { BODIES } from "./bodies.ts";
import { BROWSERS } from "./browsers.ts";
import { CALLERS } from "./callers.ts";
import { CALLS } from "./calls.ts";
import { CHANGES } from "./changes.ts";
import { CONDITIONS } from "./conditions.ts";
import { DESTINATIONS } from "./destinations.ts";
import { ENCRYPTION } from "./encryption.ts";
import { FAILURES } from "./failures.ts";
import { HEALTH } from "./health.ts";
import { LIMITS } from "./limits.ts";
import { PATHS } from "./paths.ts";
import { PRECEDENCE } from "./precedence.ts";
import { SESSIONS } from "./sessions.ts";
import { WEB_SOCKETS } from "./web-sockets.ts";

/** The whole table, by theme. */
export const CASES: Readonly<Record<string, readonly RoutingCase[]>> = {
  paths: PATHS,
  conditions: CONDITIONS,
  precedence: PRECEDENCE,
  changes: CHANGES,
  destinations: DESTINATIONS,
  failures: FAILURES,
  limits: LIMITS,
  browsers: BROWSERS,
  callers: CALLERS,
  calls: CALLS,
  bodies: BODIES,
  encryption: ENCRYPTION,
  health: HEALTH,
  sessions: SESSIONS,
  "web sockets": WEB_SOCKETS,
};
