import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { aborted } from "@gatewright/ports";
import { quietLog } from "@gatewright/telemetry";
import type { Log } from "@gatewright/telemetry";
import type { CertificateSource } from "../webhook/certificate/certificate-source.ts";
import { firstCertificate } from "../webhook/certificate/first-certificate.ts";
import { contextOf, followCertificates } from "./served-certificate.ts";

export interface OpenServerOptions {
  /** 0: any free one. */
  readonly port: number;
  /** Default: all addresses. */
  readonly host?: string;
  /** Keeps the serving certificate good. Default: plain HTTP. */
  readonly certificates?: CertificateSource;
  readonly log?: Log;
  /** Told where it listens. */
  readonly listening?: (address: AddressInfo) => void;
}

/** Requests are small; those that come slowly are cut off. Answers last as long as they like. */
const MANNERS = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 60_000, maxHeaderSize: 32_768 };
const MAX_CONNECTIONS = 8_192;

/** Listens until the signal aborts, over TLS where there are certificates. Rejects when the address cannot be had. */
export async function openServer(
  options: OpenServerOptions,
  prepare: (server: Server) => void,
  signal: AbortSignal,
): Promise<void> {
  const { certificates } = options;
  if (certificates === undefined) return listen(createServer(MANNERS), options, prepare, signal);
  const ended = new AbortController();
  const kept = certificates.run(ended.signal);
  try {
    await firstCertificate(certificates, signal);
    if (!signal.aborted) await listenSecurely(certificates, options, prepare, signal);
  } finally {
    ended.abort();
    await kept;
  }
}

async function listenSecurely(
  certificates: CertificateSource,
  options: OpenServerOptions,
  prepare: (server: Server) => void,
  signal: AbortSignal,
): Promise<void> {
  const { log = quietLog } = options;
  const https = await import("node:https");
  const server = https.createServer({ ...MANNERS, handshakeTimeout: 10_000, ...contextOf(certificates) });
  const unsubscribe = followCertificates(server, certificates, log);
  try {
    await listen(server, options, prepare, signal);
  } finally {
    unsubscribe();
  }
}

async function listen(
  server: Server,
  { port, host, listening = () => {} }: OpenServerOptions,
  prepare: (server: Server) => void,
  signal: AbortSignal,
): Promise<void> {
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = 0;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  prepare(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const failed = new Promise<never>((_resolve, reject) => server.once("error", reject));
  listening(server.address() as AddressInfo); // a TCP server that listens has one
  try {
    await Promise.race([aborted(signal), failed]);
  } finally {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
}
