/** The filters of listeners, by the names under which routes configure them. In the order in which requests meet them. */
export const FILTERS = {
  clientCertificate: "gatewright.client_certificate",
  buffer: "envoy.filters.http.buffer",
  cors: "envoy.filters.http.cors",
  gzip: "gatewright.gzip",
  brotli: "gatewright.brotli",
  zstd: "gatewright.zstd",
  rateLimit: "envoy.filters.http.local_ratelimit",
  jwt: "envoy.filters.http.jwt_authn",
  authorization: "envoy.filters.http.rbac",
  fault: "envoy.filters.http.fault",
  sticky: "envoy.filters.http.stateful_session",
  router: "envoy.filters.http.router",
} as const;
