/**
 * How load balancers are told apart on one machine. `net`: each listens on an own address of 127.0.NET.0/24, which Linux and Windows
 * have without setup. `shared-address`: all on 127.0.0.1, on ports of their own; for macOS, whose loopback is one address.
 */
export type Addressing = "shared-address" | { readonly net: number };

export const FIRST_NET: Addressing = { net: 1 };
/** 127.0.1.0/24 to 127.0.250.0/24. */
export const MOST_NETS = 250;
/** The last address of a net is not a load balancer's: whoever listens there has the net. */
export const MOST_BERTHS = 253;
const FIRST_SHARED_PORT = 20_000;
const PORTS_PER_BERTH = 100;

/** The address of the load balancer with a number. */
export function berthAddress(berth: number, addressing: Addressing): string {
  return addressing === "shared-address" ? "127.0.0.1" : `127.0.${addressing.net}.${1 + berth}`;
}

/**
 * The port that a listener really has on the machine. Own address: ports below 1024 need rights, so they have 8000 added (80 is
 * 8080, 443 is 8443); others are as they are. Shared address: 20000 + 100 for each load balancer + the last two
 * digits of the port, so that 80 of the first is 20080 and 443 of the second is 20143.
 */
export function berthPort(berth: number, port: number, addressing: Addressing): number {
  if (addressing === "shared-address") {
    return FIRST_SHARED_PORT + (berth % 400) * PORTS_PER_BERTH + (port % PORTS_PER_BERTH);
  }
  return port < 1024 ? 8000 + port : port;
}

/** The least number that none has. */
export function freeBerth(taken: Iterable<number>): number {
  const used = new Set(taken);
  let berth = 0;
  while (used.has(berth)) berth++;
  return berth;
}
