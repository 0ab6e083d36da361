import { createServer } from "node:net";
import type { Server } from "node:net";
import { berthAddress, berthPort, MOST_BERTHS, MOST_NETS } from "./berth.ts";
import type { Addressing } from "./berth.ts";

/** Addresses for the load balancers of one world, until they are given back. */
export interface ClaimedNet {
  readonly addressing: Addressing;
  readonly release: () => Promise<void>;
}

/** Never a load balancer's: their ports below 1024 are 8000 and more. */
const CLAIM_PORT = 7999;
const USUAL_PORTS = [80, 443];

/**
 * A net of loopback addresses that no other world on this machine has, the first one if it can be had. Whoever listens on its last address
 * has it, so it is free again when its world ends, however it does. Where another program has the usual ports of all addresses, or only
 * 127.0.0.1 can be listened on, that is shared.
 */
export async function claimNet(): Promise<ClaimedNet> {
  for (let net = 1; net <= MOST_NETS; net++) {
    const held = await listenAt(`127.0.${net}.${MOST_BERTHS + 1}`, CLAIM_PORT);
    if (held === "impossible") break;
    if (held === "taken") continue;
    if (await isFree({ net })) return { addressing: { net }, release: () => end(held) };
    await end(held);
  }
  return { addressing: "shared-address", release: async () => {} };
}

async function isFree(addressing: Addressing): Promise<boolean> {
  for (const port of USUAL_PORTS) {
    const held = await listenAt(berthAddress(0, addressing), berthPort(0, port, addressing));
    if (typeof held === "string") return false;
    await end(held);
  }
  return true;
}

function listenAt(host: string, port: number): Promise<Server | "taken" | "impossible"> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRINUSE" ? "taken" : "impossible"));
    server.listen({ host, port, exclusive: true }, () => {
      server.unref();
      resolve(server);
    });
  });
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
