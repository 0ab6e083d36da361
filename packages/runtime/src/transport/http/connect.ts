import net from "node:net";
import tls from "node:tls";
import type { Duplex } from "node:stream";
import type { TlsMaterial } from "./tls-material.ts";
import { tunnel } from "./proxy-tunnel.ts";
import { socksTunnel } from "./socks-tunnel.ts";

const KEEP_ALIVE_MS = 30_000;

/** Where connections go and how they are protected. */
export interface Route {
  readonly server: URL;
  readonly proxy: URL | undefined;
}

/** Makes connections of one material. Contexts are costly, so one is made for all. */
export function createConnector(route: Route, material: TlsMaterial): (signal: AbortSignal) => Promise<Duplex> {
  const context = route.server.protocol === "https:" ? secureContext(material) : undefined;
  return async (signal) => {
    const socket = await reach(route, signal);
    return context === undefined ? socket : secure(socket, hostOf(route.server), { material, context, signal });
  };
}

async function reach({ server, proxy }: Route, signal: AbortSignal): Promise<Duplex> {
  const target = { host: hostOf(server), port: portOf(server) };
  if (proxy === undefined) return open(target, signal);
  const plain = await open({ host: hostOf(proxy), port: portOf(proxy) }, signal);
  if (proxy.protocol.startsWith("socks5")) return socksTunnel(plain, proxy, target, signal);
  if (proxy.protocol !== "https:") return tunnel(plain, proxy, target, signal);
  const context = secureContext({});
  return tunnel(await secure(plain, hostOf(proxy), { material: {}, context, signal }), proxy, target, signal);
}

function secureContext({ ca, cert, key }: TlsMaterial): tls.SecureContext {
  return tls.createSecureContext({
    minVersion: "TLSv1.2",
    // An intermediate authority, or the server's own certificate, is trust enough when it is given as such.
    ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  });
}

async function open(to: { readonly host: string; readonly port: number }, signal: AbortSignal): Promise<net.Socket> {
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
  const socket = net.connect({ ...to, ...options });
  await settled(socket, "connect", signal);
  return socket;
}

async function secure(
  socket: Duplex,
  host: string,
  { material, context, signal }: { material: TlsMaterial; context: tls.SecureContext; signal: AbortSignal },
): Promise<tls.TLSSocket> {
  const name = material.serverName ?? host;
  const secured = tls.connect({
    socket,
    host,
    secureContext: context,
    rejectUnauthorized: material.insecure !== true,
    ...(net.isIP(name) === 0 && { servername: name }),
    checkServerIdentity: (_, certificate) => tls.checkServerIdentity(name, certificate),
  });
  await settled(secured, "secureConnect", signal);
  return secured;
}

/** Waits for an event of a socket; destroys it when it fails or is given up. */
export function settled(socket: Duplex, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: unknown): void => {
      signal.removeEventListener("abort", abort);
      socket.off(event, done).off("error", end).off("close", closed);
      if (error === undefined) return resolve();
      // Whatever else the broken socket has to say is of no interest.
      socket.on("error", () => {});
      socket.destroy();
      reject(error);
    };
    const done = (): void => end();
    const closed = (): void => end(new Error("the connection was closed while it was being made"));
    const abort = (): void => end(signal.reason);
    socket.once(event, done).once("error", end).once("close", closed);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["https:", 443],
  ["http:", 80],
  ["socks5:", 1080],
  ["socks5h:", 1080],
]);

function portOf(url: URL): number {
  return url.port === "" ? (DEFAULT_PORTS.get(url.protocol) ?? 443) : Number(url.port);
}
