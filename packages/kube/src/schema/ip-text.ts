const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** Whether the text is a dotted IPv4 address. `sloppy` forgives leading zeros, as CRD formats do. */
export function isIpv4Text(text: string, sloppy: boolean): boolean {
  const parts = V4.exec(text);
  if (!parts) return false;
  return parts.slice(1).every((part) => Number(part) <= 255 && (sloppy || part.length === 1 || part[0] !== "0"));
}

/** Whether the text is an IPv6 address without zone, IPv4-mapped tails included. */
export function isIpv6Text(text: string, sloppy: boolean): boolean {
  if (!text.includes(":") || text.length > 45) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [which, half] of halves.entries()) {
    if (half === "") continue;
    const parts = half.split(":");
    for (const [i, part] of parts.entries()) {
      const last = which === halves.length - 1 && i === parts.length - 1;
      if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups += 1;
      else if (last && isIpv4Text(part, sloppy)) groups += 2;
      else return false;
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

/** Whether the text is `address/prefix-length`. */
export function isCidrText(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash < 0) return false;
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (!/^\d{1,3}$/.test(bits)) return false;
  if (isIpv4Text(address, true)) return Number(bits) <= 32;
  return isIpv6Text(address, true) && Number(bits) <= 128;
}
