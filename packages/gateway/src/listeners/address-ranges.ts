import { BlockList, isIP } from "node:net";

/** An address as it is mostly written: IPv4 that came by an IPv6 socket is IPv4. */
export function plainAddress(address: string): string {
  const lower = address.toLowerCase();
  return lower.startsWith("::ffff:") && isIP(lower.slice(7)) === 4 ? lower.slice(7) : lower;
}

/** Whether an address is one of these, or in one of these ranges (`10.0.0.0/8`). Throws a `RangeError` that names what is neither. */
export function addressRanges(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits, ...rest] = range.split("/");
    const family = isIP(network);
    const most = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? most : /^[0-9]{1,3}$/u.test(bits) ? Number(bits) : -1;
    if (family === 0 || rest.length > 0 || prefix < 0 || prefix > most)
      throw new RangeError(`${range} is neither an address nor a range`);
    list.addSubnet(network, prefix, family === 4 ? "ipv4" : "ipv6");
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
  };
}
