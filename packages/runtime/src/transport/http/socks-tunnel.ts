import type { Duplex } from "node:stream";
import { readUntil } from "./socket-reader.ts";

const NO_LOGIN = 0;
const PASSWORD = 2;
const ADDRESS_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [4, 16],
]);

/** Opens a way through a SOCKS5 proxy (RFC 1928, passwords by RFC 1929). Names are resolved by the proxy. */
export async function socksTunnel(
  socket: Duplex,
  proxy: URL,
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Duplex> {
  const read = (count: number): Promise<Buffer> =>
    readUntil(socket, (bytes) => (bytes.length < count ? undefined : count), signal);
  const refuse = (why: string): never => {
    socket.destroy();
    throw new Error(`the proxy ${proxy.host} refused the connection (${why})`);
  };
  const login = proxy.username !== "";
  socket.write(Buffer.from(login ? [5, 2, NO_LOGIN, PASSWORD] : [5, 1, NO_LOGIN]));
  const [version, method] = await read(2);
  if (version !== 5) refuse("not SOCKS5");
  if (method === PASSWORD && login) {
    const [user, password] = [proxy.username, proxy.password].map((text) => Buffer.from(decodeURIComponent(text)));
    socket.write(Buffer.from([1, user!.length, ...user!, password!.length, ...password!]));
    const [, failed] = await read(2);
    if (failed !== 0) refuse("wrong login");
  } else if (method !== NO_LOGIN) {
    refuse("no login that it takes");
  }
  const host = Buffer.from(target.host);
  socket.write(Buffer.from([5, 1, 0, 3, host.length, ...host, target.port >> 8, target.port & 0xff]));
  const [, reply, , type = 0] = await read(4);
  if (reply !== 0) refuse(`reply ${reply}`);
  const length = ADDRESS_LENGTHS.get(type) ?? (await read(1))[0] ?? 0;
  await read(length + 2);
  return socket;
}
