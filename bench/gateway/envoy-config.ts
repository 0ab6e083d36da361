import { prefixOf } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";
import type { Where } from "./configs.ts";

const CONNECTION_MANAGER =
  "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
const PROTOCOL_OPTIONS = "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
const DOWNSTREAM_TLS = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext";
const ROUTER = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router";

const at = (port: number) => ({ socket_address: { address: "127.0.0.1", port_value: port } });
/** Never cut off for having asked too much. */
const MANY = 1_000_000_000;
const breakers = { thresholds: [{ max_connections: MANY, max_pending_requests: MANY, max_requests: MANY }] };

/** Envoy as a plain proxy: one listener, one cluster, routes as prefixes in their order, no access log. */
export function envoyConfig(scenario: Scenario, { backendPort, certFile, keyFile }: Where, port: number): string {
  const routes = Array.from({ length: scenario.routes }, (_, index) => ({
    match: { prefix: prefixOf(scenario, index) },
    route: { cluster: "backend", timeout: "60s" },
  }));
  const manager = {
    "@type": CONNECTION_MANAGER,
    stat_prefix: "bench",
    codec_type: "AUTO",
    use_remote_address: true,
    generate_request_id: false,
    route_config: { virtual_hosts: [{ name: "all", domains: ["*"], routes }] },
    http_filters: [{ name: "envoy.filters.http.router", typed_config: { "@type": ROUTER } }],
  };
  const certificates = [{ certificate_chain: { filename: certFile }, private_key: { filename: keyFile } }];
  const tls = { "@type": DOWNSTREAM_TLS, common_tls_context: { tls_certificates: certificates } };
  const listener = {
    name: "front",
    address: at(port),
    filter_chains: [
      {
        filters: [{ name: "envoy.filters.network.http_connection_manager", typed_config: manager }],
        ...(scenario.tls && { transport_socket: { name: "envoy.transport_sockets.tls", typed_config: tls } }),
      },
    ],
  };
  const http2 = { "@type": PROTOCOL_OPTIONS, explicit_http_config: { http2_protocol_options: {} } };
  const cluster = {
    name: "backend",
    connect_timeout: "5s",
    circuit_breakers: breakers,
    load_assignment: {
      cluster_name: "backend",
      endpoints: [{ lb_endpoints: [{ endpoint: { address: at(backendPort) } }] }],
    },
    ...(scenario.grpc && {
      typed_extension_protocol_options: { "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": http2 },
    }),
  };
  return JSON.stringify({ static_resources: { listeners: [listener], clusters: [cluster] } });
}
