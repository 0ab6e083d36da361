import { backendAuthentication } from "./backend-authentication.ts";
import { backendTls } from "./backend-tls.ts";
import { connectionPool } from "./connection-pool.ts";
import { backendEncoding } from "./encoding.ts";
import { circuitBreaker, outlierDetection } from "./failure-detection.ts";
import { backendHosts, loadBalancer } from "./load-balancing.ts";
import { rateLimit } from "./rate-limit.ts";
import { maxSessions } from "./request-limits.ts";
import { backendCache } from "./response-cache.ts";

/** What the specs of all kinds of backends have. */
export const backendFields = {
  hosts: backendHosts,
  loadBalancer,
  tls: backendTls,
  authentication: backendAuthentication,
  circuitBreaker,
  outlierDetection,
  connectionPool,
  maxSessions,
  rateLimit,
  encoding: backendEncoding,
  cache: backendCache,
};
