import { specMs } from "@gatewright/gateway/rows";
import type { BackendSpec } from "@gatewright/resources";
import type { BackendDraft } from "../backend-draft.ts";

const UNLIMITED = 1_000_000_000;
const PENDING = 1_024;
const RETRY_BUDGET_PERCENT = 20;
const USUAL_IDLE_CONNECTIONS = 10;

type Limited = Partial<Pick<BackendSpec, "connectionPool" | "maxSessions">>;

/** How many connections and requests there may be to a backend. Returns how long connections are kept without work. */
export function thresholds({ connectionPool, maxSessions }: Limited, draft: BackendDraft): number | undefined {
  const sessions = maxSessions?.enabled === true ? maxSessions : undefined;
  if ((sessions?.queueSize ?? 0) > 0)
    draft.lacks("maxSessions.queueSize", "nobody waits: more are answered with 503 at once");
  if ((connectionPool?.maxIdleConns ?? USUAL_IDLE_CONNECTIONS) !== USUAL_IDLE_CONNECTIONS)
    draft.lacks(
      "connectionPool.maxIdleConns",
      "connections are kept as long as idleConnTimeout says, however many they are",
    );
  draft.cluster.circuitBreakers = {
    thresholds: [
      {
        maxConnections: UNLIMITED,
        maxRequests: sessions?.maxConcurrent ?? UNLIMITED,
        maxPendingRequests: sessions?.maxConcurrent ?? connectionPool?.maxPendingRequests ?? PENDING,
        retryBudget: { budgetPercent: { value: RETRY_BUDGET_PERCENT }, minRetryConcurrency: 3 },
      },
    ],
    ...(connectionPool !== undefined && { perHostThresholds: [{ maxConnections: connectionPool.maxConnsPerHost }] }),
  };
  return specMs(connectionPool?.idleConnTimeout) || undefined;
}
