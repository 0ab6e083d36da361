import { isIPv4Mapped, parseIP } from "@gatewright/kube";

/** Whether an IP address (as sockets tell it) is this machine talking to itself: 127.0.0.0/8, ::1. */
export function isLoopbackAddress(address: string): boolean {
  if (address === "127.0.0.1") return true;
  const ip = parseIP(address);
  if (!ip) return false;
  if (ip.family === 4) return ip.bytes[0] === 127;
  if (isIPv4Mapped(ip)) return ip.bytes[12] === 127;
  return ip.bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

/** Whether a host name or address (no port; IPv6 without brackets) means this machine by itself, whatever DNS says. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === "localhost" || isLoopbackAddress(host);
}
