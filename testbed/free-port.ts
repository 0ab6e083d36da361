import { createServer } from "node:net";
import type { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Below the ports that systems give to clients. */
const [FIRST, LAST] = [20_000, 32_000];
const TRIES = 200;

/**
 * Ports of the loopback interface that nobody listens on now. All are held at once, so that they differ. They are none that the
 * system gives to clients: a client that keeps trying such a port while nobody listens can be given it as its own, is connected to
 * itself, and keeps the server from coming back.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held: { readonly server: Server; readonly port: number }[] = [];
  for (let tries = 0; held.length < count; tries++) {
    if (tries === TRIES) throw new Error(`no free port between ${FIRST} and ${LAST}`);
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = await listening(port);
    if (server) held.push({ server, port });
  }
  await Promise.all(held.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return held.map(({ port }) => port);
}

/** Resolves when nobody listens on the port any more: a killed process can hold it a while after it looks dead. */
export async function untilFree(port: number): Promise<void> {
  for (;;) {
    const server = await listening(port);
    if (server) return void (await new Promise((resolve) => server.close(resolve)));
    await sleep(20);
  }
}

function listening(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
