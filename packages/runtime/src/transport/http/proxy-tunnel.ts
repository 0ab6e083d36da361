import type { Duplex } from "node:stream";
import { readUntil } from "./socket-reader.ts";

/** Opens a way through an HTTP proxy by CONNECT. */
export async function tunnel(
  socket: Duplex,
  proxy: URL,
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Duplex> {
  const host = target.host.includes(":") ? `[${target.host}]` : target.host;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const head = [
    `CONNECT ${host}:${target.port} HTTP/1.1`,
    `Host: ${host}:${target.port}`,
    ...(proxy.username === "" ? [] : [`Proxy-Authorization: Basic ${Buffer.from(login).toString("base64")}`]),
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const answer = await readUntil(
    socket,
    (bytes) => {
      const end = bytes.indexOf("\r\n\r\n");
      return end < 0 ? undefined : end + 4;
    },
    signal,
  );
  const [, status = "no HTTP"] = /^HTTP\/1\.[01] (\d{3})/.exec(answer.toString("latin1")) ?? [];
  if (status.startsWith("2")) return socket;
  socket.destroy();
  throw new Error(`the proxy ${proxy.host} refused the connection (${status})`);
}
