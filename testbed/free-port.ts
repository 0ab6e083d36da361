import { createServer } from "node:net";
import type { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Below the ports that systems give to clients. */
const [FIRST, LAST] = [20_000, 32_000];
/** Processes that look for ports at the same time look in different places. */
const BLOCK = 200;
const BLOCKS = (LAST - FIRST) / BLOCK;
const TRIES = 2_000;
/** Some are listened on much later: nobody else gets them meanwhile. */
const given = new Set<number>();

/**
 * Ports that nobody listens on now, and that this process was never given before. They are none that the
 * system gives to clients: a client that keeps trying such a port while nobody listens can be given it as its own, is connected to
 * itself, and keeps the server from coming back.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held: { readonly server: Server; readonly port: number }[] = [];
  for (let tries = 0; held.length < count; tries++) {
    if (tries === TRIES) throw new Error(`no free port between ${FIRST} and ${LAST}`);
    const block = process.pid + Math.floor(tries / BLOCK); // the next one when this one is used up
    const port = FIRST + (block % BLOCKS) * BLOCK + Math.floor(Math.random() * BLOCK);
    if (given.has(port)) continue;
    const server = await listening(port);
    if (!server) continue;
    given.add(port);
    held.push({ server, port });
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
    // At all addresses: some servers want the port at each of them.
    server.listen(port, "0.0.0.0", () => resolve(server));
  });
}
