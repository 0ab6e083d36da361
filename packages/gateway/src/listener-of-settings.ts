import type { GatewaySettings } from "./configuration/settings/gateway-settings.ts";
import type { ListenerSettings } from "./listeners/listener-settings.ts";

const VERSIONS = { TLS12: "TLSv1.2", TLS13: "TLSv1.3" } as const;

/** A listener of the settings' file as sockets take it. `shared`: several workers listen on the same port. */
export function listenerOfSettings(
  given: GatewaySettings["listeners"][number],
  { trustedProxies }: GatewaySettings,
  shared: boolean,
): ListenerSettings {
  const { name, address, port, protocol, tls, limits, escapedSeparators, mergeSlashes, underscores } = given;
  return {
    name,
    address,
    port,
    protocols: protocol === "GRPC" || protocol === "GRPCS" ? ["http2"] : ["http1", "http2"],
    tls: tls && {
      certificates: tls.certificates,
      minVersion: VERSIONS[tls.minVersion],
      maxVersion: VERSIONS[tls.maxVersion],
      ciphers: tls.cipherSuites?.join(":"),
      clientCertificates: tls.clientAuth && {
        mode: tls.clientAuth.mode === "require" ? "required" : "optional",
        caFile: tls.clientAuth.caFile,
      },
    },
    // Without proxies that are trusted there is nobody whose header could be believed; then everybody has to send one.
    proxyProtocol: given.proxyProtocol
      ? { trusted: trustedProxies.length > 0 ? trustedProxies : ["0.0.0.0/0", "::/0"] }
      : undefined,
    maxConnections: limits.maxConnections === 0 ? undefined : limits.maxConnections,
    maxConnectionsPerAddress: limits.maxConnectionsPerClient === 0 ? undefined : limits.maxConnectionsPerClient,
    reusePort: shared,
    handshakeMs: limits.handshakeTimeoutMs,
    http1: {
      headBytes: limits.maxHeaderBytes,
      fields: limits.maxHeaders,
      targetBytes: limits.maxTargetBytes,
      headMs: limits.headerTimeoutMs,
      idleMs: limits.keepAliveTimeoutMs,
      progressMs: limits.progressTimeoutMs,
      bytesPerSecond: limits.minBytesPerSecond,
      tunnelIdleMs: limits.idleTimeoutMs,
      requests: limits.maxRequestsPerConnection,
    },
    http2: {
      concurrentStreams: limits.maxConcurrentStreams,
      headBytes: limits.maxHeaderBytes,
      fields: limits.maxHeaders,
      idleMs: limits.keepAliveTimeoutMs,
      stalledMs: limits.idleTimeoutMs,
    },
    escapedSlashes: escapedSeparators,
    mergeSlashes,
    underscores,
  };
}
