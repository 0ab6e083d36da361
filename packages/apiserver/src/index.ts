export { createApiServer } from "./api-server.ts";
export type { ApiServer } from "./api-server.ts";
export type { ApiServerOptions, ServerLog } from "./api-server-options.ts";
export {
  bindingAllowed,
  createCertificateAuthority,
  createSigningKey,
  kubeconfigFor,
  loadCertificateAuthority,
  parseTokenFile,
} from "./auth/index.ts";
export type { CertificateAuthority, KeyPair, StaticToken, UserInfo } from "./auth/index.ts";
export type { Cluster, DeleteRequest } from "./cluster.ts";
export type { ExtraPath, ExtraPaths } from "./extra-paths.ts";
export type { ApiHandler, ApiRequest, ApiResponse } from "./http/api-request.ts";
export { inProcessRequest } from "./http/in-process.ts";
export type { InProcessRequest, InProcessResponse, InProcessTransport } from "./http/in-process.ts";
export type { Listener, ListenOptions } from "./http/listen.ts";
export type { LogOptions, NodeAccess, PodIdentity } from "./nodes/node-access.ts";
export { createMemoryStore, imageOf, openDiskStore } from "./store/index.ts";
export type { DiskStoreOptions, Store, StoreImage } from "./store/index.ts";
