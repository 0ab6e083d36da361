import { parseIP } from "@gatewright/kube";

/**
 * Whether no endpoint of a provider may be at an address: what a node keeps for itself and its cloud (link-local, the metadata of
 * instances and containers), this machine, and what is no address of a host at all. Private networks are allowed: endpoints of a VPC
 * are there.
 */
export function isRefusedAddress(text: string, { loopback = false }: { readonly loopback?: boolean } = {}): boolean {
  const address = parseIP(text.replace(/%.*$/, ""));
  if (address === undefined) return true;
  const { family, bytes } = address;
  if (family === 4) return isRefusedV4(bytes, loopback);
  const inner = v4Within(bytes);
  if (inner !== undefined) return isRefusedV4(inner, loopback);
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (bytes.slice(0, 15).every((byte) => byte === 0)) return bytes[15] === 1 ? !loopback : true;
  const linkLocal = first === 0xfe && (second & 0xc0) === 0x80;
  const metadata = first === 0xfd && second === 0x00 && third === 0x0e && fourth === 0xc2;
  return linkLocal || metadata || first === 0xff;
}

function isRefusedV4([first = 0, second = 0]: readonly number[], loopback: boolean): boolean {
  if (first === 127) return !loopback;
  return first === 0 || (first === 169 && second === 254) || first >= 224;
}

/** The IPv4 address that an IPv6 one leads to: mapped, translated (64:ff9b::/96) or tunnelled (2002::/16). */
function v4Within(bytes: readonly number[]): readonly number[] | undefined {
  const begins = (...prefix: readonly number[]): boolean => prefix.every((byte, index) => bytes[index] === byte);
  const zeros = (count: number): number[] => Array<number>(count).fill(0);
  if (begins(...zeros(10), 0xff, 0xff) || begins(0, 0x64, 0xff, 0x9b, ...zeros(8))) return bytes.slice(12);
  if (begins(0x20, 0x02)) return bytes.slice(2, 6);
  // Addresses of the old form ::a.b.c.d; :: and ::1 are themselves.
  return begins(...zeros(12)) && (bytes[12] !== 0 || bytes[13] !== 0) ? bytes.slice(12) : undefined;
}
