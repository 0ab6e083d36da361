import { create } from "@bufbuild/protobuf";
import type { MessageShape } from "@bufbuild/protobuf";
import {
  DownstreamTlsContextSchema,
  HttpConnectionManagerSchema,
  HttpConnectionManager_PathWithEscapedSlashesAction,
  HttpConnectionManager_ServerHeaderTransformation,
  ListenerSchema,
  TlsInspectorSchema,
  TlsParameters_TlsProtocol,
} from "@gatewright/gateway-wire/xds";
import { dataSource } from "./certificates.ts";
import { FROM_ADS } from "./cluster/cluster-message.ts";
import type { EnvoyListener, ListenerTls } from "./envoy-settings.ts";
import { httpFilters } from "./http-filters.ts";
import { durationOf, packed } from "./packed.ts";

const BUFFER_BYTES = 1024 * 1024;
const HEAD_KB = 16;
const HEAD_MS = 10_000;
const IDLE_MS = 75_000;
const STREAM_IDLE_MS = 300_000;
const MOST_FIELDS = 100;
const MOST_STREAMS = 100;

/**
 * A listener: its routes come by their own resource, so that connections outlive every change of them. `secrets` are the names of the
 * certificates that it may show; one without any, though it is for TLS, cannot be.
 */
export function listenerMessage(
  listener: EnvoyListener,
  secrets: readonly string[],
): MessageShape<typeof ListenerSchema> {
  const { name, address, port, tls } = listener;
  return create(ListenerSchema, {
    name,
    address: {
      address: { case: "socketAddress", value: { address, portSpecifier: { case: "portValue", value: port } } },
    },
    perConnectionBufferLimitBytes: BUFFER_BYTES,
    ...(tls !== undefined && {
      listenerFilters: [
        {
          name: "envoy.filters.listener.tls_inspector",
          configType: { case: "typedConfig", value: packed(TlsInspectorSchema, {}) },
        },
      ],
    }),
    filterChains: [
      {
        ...(tls !== undefined && { transportSocket: transportSocket(tls, secrets) }),
        filters: [
          {
            name: "envoy.filters.network.http_connection_manager",
            configType: {
              case: "typedConfig",
              value: packed(HttpConnectionManagerSchema, connectionManager(listener)),
            },
          },
        ],
      },
    ],
  });
}

/** The certificate whose names fit is shown, or the first. */
function transportSocket({ clientCaFile }: ListenerTls, secrets: readonly string[]) {
  const typedConfig = packed(DownstreamTlsContextSchema, {
    commonTlsContext: {
      tlsParams: { tlsMinimumProtocolVersion: TlsParameters_TlsProtocol.TLSv1_2 },
      alpnProtocols: ["h2", "http/1.1"],
      tlsCertificateSdsSecretConfigs: secrets.map((name) => ({ name, sdsConfig: FROM_ADS })),
      ...(clientCaFile !== undefined && {
        validationContextType: { case: "validationContext", value: { trustedCa: dataSource(clientCaFile) } },
      }),
    },
  });
  return { name: "envoy.transport_sockets.tls", configType: { case: "typedConfig", value: typedConfig } } as const;
}

/** As strict with requests as our own gateway, as far as Envoy can be. */
function connectionManager({ name }: EnvoyListener): MessageShape<typeof HttpConnectionManagerSchema> {
  return create(HttpConnectionManagerSchema, {
    statPrefix: name,
    routeSpecifier: { case: "rds", value: { configSource: FROM_ADS, routeConfigName: name } },
    httpFilters: httpFilters(),
    useRemoteAddress: true,
    normalizePath: true,
    mergeSlashes: true,
    pathWithEscapedSlashesAction: HttpConnectionManager_PathWithEscapedSlashesAction.REJECT_REQUEST,
    serverHeaderTransformation: HttpConnectionManager_ServerHeaderTransformation.PASS_THROUGH,
    commonHttpProtocolOptions: { idleTimeout: durationOf(IDLE_MS), maxHeadersCount: MOST_FIELDS },
    http2ProtocolOptions: {
      maxConcurrentStreams: MOST_STREAMS,
      initialStreamWindowSize: 65_536,
      initialConnectionWindowSize: 1_048_576,
    },
    maxRequestHeadersKb: HEAD_KB,
    requestHeadersTimeout: durationOf(HEAD_MS),
    streamIdleTimeout: durationOf(STREAM_IDLE_MS),
    upgradeConfigs: [{ upgradeType: "websocket" }],
  });
}
