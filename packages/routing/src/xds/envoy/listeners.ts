import { create } from "@bufbuild/protobuf";
import type { MessageShape } from "@bufbuild/protobuf";
import {
  HttpConnectionManagerSchema,
  HttpConnectionManager_PathWithEscapedSlashesAction,
  HttpConnectionManager_ServerHeaderTransformation,
  ListenerSchema,
} from "@gatewright/gateway-wire/xds";
import { FROM_ADS } from "./cluster/cluster-message.ts";
import type { EnvoyListener } from "./envoy-settings.ts";
import { httpFilters } from "./http-filters.ts";
import { durationOf, packed } from "./packed.ts";

const BUFFER_BYTES = 1024 * 1024;
const HEAD_KB = 16;
const HEAD_MS = 10_000;
const IDLE_MS = 75_000;
const STREAM_IDLE_MS = 300_000;
const MOST_FIELDS = 100;
const MOST_STREAMS = 100;

/** A listener: its routes come by their own resource, so that connections outlive every change of them. */
export function listenerMessage(listener: EnvoyListener): MessageShape<typeof ListenerSchema> {
  const { name, address, port } = listener;
  return create(ListenerSchema, {
    name,
    address: {
      address: { case: "socketAddress", value: { address, portSpecifier: { case: "portValue", value: port } } },
    },
    perConnectionBufferLimitBytes: BUFFER_BYTES,
    filterChains: [
      {
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
