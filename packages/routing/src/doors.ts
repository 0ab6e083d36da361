import { ChannelCredentials } from "@grpc/grpc-js";
import { aborted } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { Log, Metrics, Runnable } from "@gatewright/runtime";
import type { CertificateSource } from "@gatewright/runtime/webhook";
import type { ChangePace } from "./distribution/change-pace.ts";
import type { Connections } from "./distribution/connected-gateway.ts";
import type { Feed } from "./feed/feed.ts";
import type { MutableCatalogue } from "./model/mutable-catalogue.ts";
import type { GatewayCalls } from "./push/gateway-calls.ts";
import { GrpcGatewayCalls } from "./push/grpc-gateway-calls.ts";
import { pushing } from "./push/push-to-gateways.ts";
import type { PushedGateway } from "./push/push-to-gateways.ts";
import type { RoutingSettings } from "./routing-settings.ts";
import { changingServerCredentials } from "./stream/server-certificates.ts";
import type { MaterialSource } from "./stream/server-certificates.ts";
import { serveStream } from "./stream/serve-stream.ts";
import { serveXds } from "./xds/serve-xds.ts";

/** What every door onto the catalogue needs. */
export interface DoorParts {
  readonly settings: RoutingSettings;
  readonly certificates: CertificateSource;
  readonly feed: Pick<Feed, "caughtUp">;
  readonly catalogue: MutableCatalogue;
  readonly connections: Connections;
  readonly pace: ChangePace;
  /** Throws unless this process leads. */
  readonly gate: () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics?: Metrics;
}

/** Where gateways dial in. `bound` is told where that is. */
export function streamDoor({ settings, certificates, ...parts }: DoorParts, bound: (port: number) => void): Runnable {
  const { streamAddress: address, heartbeatMs, bindsIdentity } = settings;
  return {
    name: "routing-stream",
    when: "always",
    async run(signal) {
      const credentials = changingServerCredentials(materialOf(certificates));
      const server = await serveStream({ ...parts, address, credentials, heartbeatMs, bindsIdentity }, signal);
      bound(server.port);
      await aborted(signal);
      await server.close();
    },
  };
}

/** Where Envoys and proxyless clients of gRPC ask; undefined where the settings have none. */
export function xdsDoor({ settings, certificates, ...parts }: DoorParts): Runnable | undefined {
  const { xds, bindsIdentity } = settings;
  if (xds === undefined) return undefined;
  return {
    name: "routing-xds",
    when: "always",
    async run(signal) {
      const credentials = changingServerCredentials(materialOf(certificates));
      const server = await serveXds({ ...parts, ...xds, credentials, bindsIdentity });
      parts.log.info("Envoys are served", { address: xds.address, port: server.port });
      await aborted(signal);
      server.close();
    },
  };
}

/** Dials gateways and pushes; undefined where the settings name none. */
export function pushDoor({ settings, certificates, ...parts }: DoorParts): Runnable | undefined {
  const { pushed } = settings;
  if (pushed.length === 0) return undefined;
  const gateways = { current: pushed, subscribe: () => () => {} };
  const dial = async ({ address, serverName }: PushedGateway): Promise<GatewayCalls> =>
    new GrpcGatewayCalls(address, await callerCredentials(certificates), serverName, parts.clock);
  return pushing({ ...parts, gateways, dial });
}

/** By which gateways that are pushed to know us: the same certificate. */
async function callerCredentials(certificates: CertificateSource): Promise<ChannelCredentials> {
  const { current } = materialOf(certificates);
  if (current === undefined) throw new Error("there is no certificate to call gateways with yet");
  const { authorities, key, certificate } = current;
  return ChannelCredentials.createSsl(Buffer.from(authorities), Buffer.from(key), Buffer.from(certificate));
}

function materialOf(certificates: CertificateSource): MaterialSource {
  return {
    get current() {
      const [pair, authorities] = [certificates.current(), certificates.bundle()];
      return pair === undefined || authorities === undefined ? undefined : { ...pair, authorities };
    },
    subscribe: (listener) => certificates.subscribe(listener),
  };
}
