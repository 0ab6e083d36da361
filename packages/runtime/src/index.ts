export type * from "./transport/transport.ts";
export * from "./transport/transport-error.ts";
export type { Material, TransportConfig } from "./transport/transport-config.ts";
export type { Impersonation } from "./transport/impersonation-headers.ts";
export { createHttpTransport } from "./transport/http/create-http-transport.ts";
export type { HttpTransport, HttpTransportOptions } from "./transport/http/create-http-transport.ts";
export type { TlsMaterial } from "./transport/http/tls-material.ts";
export type { Credentials, CredentialSource } from "./transport/credentials/credential-source.ts";
export { createTransport } from "./transport/create-transport.ts";
export { loadTransport } from "./transport/load-transport.ts";
export type { LoadedTransport } from "./transport/load-transport.ts";
export { loadTransportConfig } from "./transport/config/load-transport-config.ts";
export type { LoadOptions } from "./transport/config/load-transport-config.ts";
export { inClusterConfig } from "./transport/config/in-cluster.ts";
export { KubeconfigError } from "./transport/config/kubeconfig-error.ts";
export { retrying } from "./transport/retrying.ts";
export type { RetryOptions } from "./transport/retrying.ts";
export type * from "./client/client.ts";
export { createClient } from "./client/create-client.ts";
export type { ClientOptions } from "./client/create-client.ts";
export * from "./client/error-kinds.ts";
export type * from "./cache/informer.ts";
export { caughtUp } from "./cache/caught-up.ts";
export { createCache } from "./cache/create-cache.ts";
export type { CacheOptions } from "./cache/create-cache.ts";
export type { CacheTransform } from "./cache/cached-form.ts";
export * from "./queue/queue.ts";
export * from "./queue/create-queue.ts";
export * from "./queue/queue-metrics.ts";
export * from "./controller/outcome.ts";
export type * from "./controller/definition.ts";
export * from "./controller/predicates.ts";
export * from "./controller/watching.ts";
export { AccessNotDeclaredError } from "./controller/access.ts";
export * from "./controller/controller.ts";
export * from "./controller/compose.ts";
export * from "./controller/rbac.ts";
export type * from "./kit/event-recorder.ts";
export { createEventRecorder } from "./kit/create-event-recorder.ts";
export type { EventRecorderOptions, FlushingEventRecorder } from "./kit/create-event-recorder.ts";
export * from "./kit/condition.ts";
export * from "./kit/confirm-present.ts";
export * from "./kit/confirmed.ts";
export * from "./kit/finalizer.ts";
export * from "./kit/owned-by.ts";
export * from "./kit/owner-reference.ts";
export { updateStatus } from "./kit/update-status.ts";
export type { UpdateStatusOptions } from "./kit/update-status.ts";
export * from "./kit/wait-for.ts";
export * from "./kit/with-finalizer.ts";
export * from "./lease/write-gate.ts";
export type * from "./lease/elector.ts";
export { createElector } from "./lease/create-elector.ts";
export type { ElectorDependencies, Standing } from "./lease/create-elector.ts";
export { createThreadedElector } from "./lease/create-threaded-elector.ts";
export type { ThreadedElectorDependencies } from "./lease/create-threaded-elector.ts";
export { gated } from "./lease/gated.ts";
export type * from "./manager/manager.ts";
export { createManager } from "./manager/create-manager.ts";
export { createHealthServer } from "./manager/health-server.ts";
export type { HealthServerOptions } from "./manager/health-server.ts";
export { LeaseLostError } from "./manager/lease-lost-error.ts";
export * from "@gatewright/telemetry";
export {
  CERTIFICATE_METRICS,
  LEASE_METRICS,
  QUEUE_METRICS,
  RECONCILE_METRICS,
  REQUEST_METRICS,
  WEBHOOK_METRICS,
} from "./telemetry/metric-definitions.ts";
export { measured } from "./telemetry/request-metrics.ts";
export { runOperator } from "./process/run-operator.ts";
export type { OperatorOptions, OperatorParts } from "./process/run-operator.ts";
