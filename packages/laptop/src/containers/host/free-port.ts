import { createServer } from "node:net";

/** A port of this machine that is free now. Somebody else could take it before it is used: that shows as a container that fails. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  await new Promise<void>((closed) => server.close(() => closed()));
  if (address === null || typeof address === "string") throw new TypeError("a server of TCP has an address");
  return address.port;
}
