import type { CertificatePair } from "./certificates.ts";

export interface ListenerTls {
  /** Besides those of routes. The first is shown to who asks for a name that none of them has. */
  readonly certificates: readonly CertificatePair[];
  /** Who issues the certificates of clients. Without it clients are not asked for any. */
  readonly clientCaFile?: string;
}

/** Where Envoys listen. */
export interface EnvoyListener {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly tls?: ListenerTls;
}

/** What holds for Envoys where objects say nothing: as the settings of our own gateway. */
export interface EnvoySettings {
  readonly listeners: readonly EnvoyListener[];
  /** 0: no limit. */
  readonly requestTimeoutMs: number;
  /** For programs that are their own gateway: each host of a GRPCRoute is a listener that they ask for by name. */
  readonly proxyless?: true;
  /** How large patterns may be: Envoy's own `re2.max_program_size.error_level`, which its bootstrap can raise. */
  readonly mostPatternSize: number;
  /** Where GraphQLRoutes are that do not say it. */
  readonly graphqlPath: string;
}

export const DEFAULT_ENVOY_SETTINGS: EnvoySettings = {
  listeners: [
    { name: "http", address: "0.0.0.0", port: 8080 },
    { name: "https", address: "0.0.0.0", port: 8443, tls: { certificates: [] } },
  ],
  requestTimeoutMs: 300_000,
  graphqlPath: "/graphql",
  mostPatternSize: 100,
};

/** For clients of gRPC that call by `xds:///host`. */
export const PROXYLESS_SETTINGS: EnvoySettings = { ...DEFAULT_ENVOY_SETTINGS, listeners: [], proxyless: true };
