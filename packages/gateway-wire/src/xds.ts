// Envoy's discovery protocol, version 3, and the messages that its resources are made of: what is used here, under their own names.
export { AggregatedDiscoveryService } from "./generated/envoy/service/discovery/v3/ads_pb.js";
export {
  DeltaDiscoveryResponseSchema,
  DiscoveryResponseSchema,
  ResourceSchema,
} from "./generated/envoy/service/discovery/v3/discovery_pb.js";
export type { DeltaDiscoveryRequest, DiscoveryRequest } from "./generated/envoy/service/discovery/v3/discovery_pb.js";
export type { Node } from "./generated/envoy/config/core/v3/base_pb.js";
export {
  HeaderValueOptionSchema,
  HeaderValueOption_HeaderAppendAction,
} from "./generated/envoy/config/core/v3/base_pb.js";
export { ApiVersion } from "./generated/envoy/config/core/v3/config_source_pb.js";
export type { ConfigSource } from "./generated/envoy/config/core/v3/config_source_pb.js";
export { TypedExtensionConfigSchema } from "./generated/envoy/config/core/v3/extension_pb.js";
export { HealthCheckSchema } from "./generated/envoy/config/core/v3/health_check_pb.js";
export { HttpProtocolOptions_HeadersWithUnderscoresAction } from "./generated/envoy/config/core/v3/protocol_pb.js";

export {
  ClusterSchema,
  Cluster_DiscoveryType,
  Cluster_DnsLookupFamily,
  Cluster_LbPolicy,
} from "./generated/envoy/config/cluster/v3/cluster_pb.js";
export type { Cluster } from "./generated/envoy/config/cluster/v3/cluster_pb.js";
export type { CircuitBreakers } from "./generated/envoy/config/cluster/v3/circuit_breaker_pb.js";
export { OutlierDetectionSchema } from "./generated/envoy/config/cluster/v3/outlier_detection_pb.js";
export { LbEndpointSchema } from "./generated/envoy/config/endpoint/v3/endpoint_components_pb.js";
export { ClusterLoadAssignmentSchema } from "./generated/envoy/config/endpoint/v3/endpoint_pb.js";
export { HttpProtocolOptionsSchema } from "./generated/envoy/extensions/upstreams/http/v3/http_protocol_options_pb.js";

export { ListenerSchema } from "./generated/envoy/config/listener/v3/listener_pb.js";
export { FilterChainSchema } from "./generated/envoy/config/listener/v3/listener_components_pb.js";
export { TlsInspectorSchema } from "./generated/envoy/extensions/filters/listener/tls_inspector/v3/tls_inspector_pb.js";
export {
  HttpConnectionManagerSchema,
  HttpConnectionManager_CodecType,
  HttpConnectionManager_PathWithEscapedSlashesAction,
  HttpConnectionManager_ServerHeaderTransformation,
  HttpFilterSchema,
} from "./generated/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";

export { RouteConfigurationSchema } from "./generated/envoy/config/route/v3/route_pb.js";
export {
  FilterConfigSchema,
  RedirectAction_RedirectResponseCode,
  HeaderMatcherSchema,
  QueryParameterMatcherSchema,
  RedirectActionSchema,
  RetryPolicySchema,
  RouteActionSchema,
  RouteMatchSchema,
  RouteSchema,
  VirtualHostSchema,
} from "./generated/envoy/config/route/v3/route_components_pb.js";
export { ValueMatcherSchema } from "./generated/envoy/type/matcher/v3/value_pb.js";
export { StringMatcherSchema } from "./generated/envoy/type/matcher/v3/string_pb.js";
export { FractionalPercent_DenominatorType } from "./generated/envoy/type/v3/percent_pb.js";
export { StatusCode } from "./generated/envoy/type/v3/http_status_pb.js";
export { CodecClientType } from "./generated/envoy/type/v3/http_pb.js";
export { PreviousHostsPredicateSchema } from "./generated/envoy/extensions/retry/host/previous_hosts/v3/previous_hosts_pb.js";

export { BufferSchema, BufferPerRouteSchema } from "./generated/envoy/extensions/filters/http/buffer/v3/buffer_pb.js";
export {
  CompressorPerRouteSchema,
  CompressorSchema,
} from "./generated/envoy/extensions/filters/http/compressor/v3/compressor_pb.js";
export { BrotliSchema } from "./generated/envoy/extensions/compression/brotli/compressor/v3/brotli_pb.js";
export { GzipSchema } from "./generated/envoy/extensions/compression/gzip/compressor/v3/gzip_pb.js";
export { ZstdSchema } from "./generated/envoy/extensions/compression/zstd/compressor/v3/zstd_pb.js";
export { CorsPolicySchema, CorsSchema } from "./generated/envoy/extensions/filters/http/cors/v3/cors_pb.js";
export { HTTPFaultSchema } from "./generated/envoy/extensions/filters/http/fault/v3/fault_pb.js";
export {
  HeaderMutationPerRouteSchema,
  HeaderMutationSchema,
} from "./generated/envoy/extensions/filters/http/header_mutation/v3/header_mutation_pb.js";
export {
  JwtAuthenticationSchema,
  PerRouteConfigSchema,
} from "./generated/envoy/extensions/filters/http/jwt_authn/v3/config_pb.js";
export {
  JwtProviderSchema,
  JwtRequirementSchema,
} from "./generated/envoy/extensions/filters/http/jwt_authn/v3/config_pb.js";
export { LocalRateLimitSchema } from "./generated/envoy/extensions/filters/http/local_ratelimit/v3/local_rate_limit_pb.js";
export { RBACPerRouteSchema, RBACSchema } from "./generated/envoy/extensions/filters/http/rbac/v3/rbac_pb.js";
export { RBAC_Action } from "./generated/envoy/config/rbac/v3/rbac_pb.js";
export { PermissionSchema, PolicySchema, PrincipalSchema } from "./generated/envoy/config/rbac/v3/rbac_pb.js";
export { RouterSchema } from "./generated/envoy/extensions/filters/http/router/v3/router_pb.js";
export {
  StatefulSessionPerRouteSchema,
  StatefulSessionSchema,
} from "./generated/envoy/extensions/filters/http/stateful_session/v3/stateful_session_pb.js";
export { CookieBasedSessionStateSchema } from "./generated/envoy/extensions/http/stateful_session/cookie/v3/cookie_pb.js";
export { CommonTlsContextSchema } from "./generated/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
export { SecretSchema } from "./generated/envoy/extensions/transport_sockets/tls/v3/secret_pb.js";
export {
  CertificateValidationContext_TrustChainVerification,
  SubjectAltNameMatcher_SanType,
  TlsParameters_TlsProtocol,
} from "./generated/envoy/extensions/transport_sockets/tls/v3/common_pb.js";
export {
  DownstreamTlsContextSchema,
  UpstreamTlsContextSchema,
} from "./generated/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
