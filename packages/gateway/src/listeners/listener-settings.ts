import type { Http1Limits } from "../http1/limits.ts";
import type { Http2Limits } from "../http2/http2-limits.ts";

/** One port that the gateway listens on. */
export interface ListenerSettings {
  readonly name: string;
  /** The address to bind. Default: all of the machine's. */
  readonly address?: string | undefined;
  /** 0: any that is free. */
  readonly port: number;
  /** Which protocols clients may speak. Default: both, told apart by ALPN or by the first bytes. */
  readonly protocols?: readonly ("http1" | "http2")[] | undefined;
  /** Undefined: plain. */
  readonly tls?: ListenerTls | undefined;
  /** Undefined: connections say nothing about whom they come from. */
  readonly proxyProtocol?: ProxyProtocolSettings | undefined;
  /** Connections at once. Default 20,000. */
  readonly maxConnections?: number | undefined;
  /** Connections at once of one client's address. Default: no limit but the former. */
  readonly maxConnectionsPerAddress?: number | undefined;
  /** Lets several processes listen on the same port; the system spreads connections over them. */
  readonly reusePort?: boolean | undefined;
  /** From the connection to its first request's first byte: PROXY header, TLS, choice of protocol. Default 10 seconds. */
  readonly handshakeMs?: number | undefined;
  readonly http1?: Partial<Http1Limits> | undefined;
  readonly http2?: Partial<Http2Limits> | undefined;
  /** Escaped slashes, backslashes and NULs in paths. Default: refused. */
  readonly escapedSlashes?: "refuse" | "pass" | undefined;
  /** Whether `//` in paths becomes `/`. Default: no. */
  readonly mergeSlashes?: boolean | undefined;
  /** Fields with an underscore in their name. Default: dropped. */
  readonly underscores?: "refuse" | "drop" | "pass" | undefined;
}

/** How a listener speaks TLS. */
export interface ListenerTls {
  /** The first is for clients that name no host, or one that no certificate is for. */
  readonly certificates: readonly CertificateFiles[];
  /** Default TLSv1.2. */
  readonly minVersion?: "TLSv1.2" | "TLSv1.3" | undefined;
  readonly maxVersion?: "TLSv1.2" | "TLSv1.3" | undefined;
  /** As OpenSSL writes them. Default: Node's. */
  readonly ciphers?: string | undefined;
  /** Whether clients show certificates. Default: they are not asked. */
  readonly clientCertificates?: ClientCertificates | undefined;
}

/** A certificate with its chain and its key, as PEM files that are read again when they change. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** For which hosts, besides those that the certificate names. */
  readonly hosts?: readonly string[] | undefined;
}

export interface ClientCertificates {
  /** `optional`: who shows none, or one that cannot be verified, is served as unknown. `required`: is not served. */
  readonly mode: "optional" | "required";
  /** The authorities whose certificates are believed, as a PEM file that is read again when it changes. */
  readonly caFile: string;
}

export interface ProxyProtocolSettings {
  /** Addresses and ranges whose connections begin with a PROXY header, and have to. Others are served as who they are. */
  readonly trusted: readonly string[];
}
