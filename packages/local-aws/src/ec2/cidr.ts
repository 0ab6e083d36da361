/** A range of IPv4 addresses. */
export interface Network {
  readonly first: number;
  readonly size: number;
  readonly bits: number;
  readonly text: string;
}

/** The range that `10.0.0.0/16` means; undefined when it means none. */
export function networkOf(text: string): Network | undefined {
  const [, address = "", mask = ""] = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(text) ?? [];
  const octets = address.split(".").map(Number);
  const bits = Number(mask);
  if (octets.length !== 4 || octets.some((octet) => octet > 255) || mask === "" || bits > 32) return undefined;
  const size = 2 ** (32 - bits);
  const value = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  const first = Math.floor(value / size) * size;
  return { first, size, bits, text: `${addressText(first)}/${bits}` };
}

export function addressText(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}

export function contains(outer: Network, inner: Network): boolean {
  return inner.first >= outer.first && inner.first + inner.size <= outer.first + outer.size;
}

export function overlaps(one: Network, other: Network): boolean {
  return one.first < other.first + other.size && other.first < one.first + one.size;
}

/** AWS keeps the first four addresses of a subnet, and the last. */
export function* usableAddresses({ first, size }: Network): Iterable<string> {
  for (let i = 4; i < size - 1; i++) yield addressText(first + i);
}
