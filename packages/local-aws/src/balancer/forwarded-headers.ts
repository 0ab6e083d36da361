import type { Clock, Random } from "@gatewright/ports";
import type { Header, Peer, RequestHead } from "./message.ts";

/** How a load balancer is set to tell targets of clients. */
export interface ForwardedSettings {
  readonly listenerPort: number;
  readonly xffMode: string;
  readonly xffPort: boolean;
  readonly tlsHeaders: boolean;
  readonly dropInvalid: boolean;
  readonly clock: Clock;
  readonly random: Random;
}

/** The headers of a request as the target gets them, `host` excepted. */
export function forwardedHeaders(head: RequestHead, peer: Peer, settings: ForwardedSettings): readonly Header[] {
  const kept = head.headers.filter(([name]) => {
    const key = name.toLowerCase();
    if (settings.dropInvalid && !/^[a-z0-9-]+$/.test(key)) return false;
    return !OWN.has(key) && key !== "expect";
  });
  const values = (name: string): string[] =>
    head.headers.flatMap(([key, value]) => (key.toLowerCase() === name ? [value] : []));
  const before = values("x-forwarded-for");
  const shown = peer.address.includes(":") ? `[${peer.address}]` : peer.address;
  const last = settings.xffPort ? `${shown}:${peer.port}` : peer.address;
  const xff =
    settings.xffMode === "append" ? [[...before, last].join(", ")] : settings.xffMode === "preserve" ? before : [];
  return [
    ...kept,
    ...xff.map((value) => ["X-Forwarded-For", value] as const),
    ["X-Forwarded-Proto", peer.tls === undefined ? "http" : "https"],
    ["X-Forwarded-Port", String(settings.listenerPort)],
    ["X-Amzn-Trace-Id", traceId(values("x-amzn-trace-id")[0], settings)],
    ...(settings.tlsHeaders && peer.tls !== undefined
      ? ([
          ["X-Amzn-Tls-Version", peer.tls.version],
          ["X-Amzn-Tls-Cipher-Suite", peer.tls.cipher],
        ] as const)
      : []),
  ];
}

/** Those that only the load balancer says. */
const OWN = new Set([
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-amzn-trace-id",
  "x-amzn-tls-version",
  "x-amzn-tls-cipher-suite",
]);

/** A trace goes on under the root that it has, with an id of our own before it; without one it begins here. */
function traceId(before: string | undefined, { clock, random }: ForwardedSettings): string {
  const seconds = Math.floor(clock.now() / 1000)
    .toString(16)
    .padStart(8, "0");
  const own = `1-${seconds}-${Buffer.from(random.bytes(12)).toString("hex")}`;
  if (before === undefined) return `Root=${own}`;
  return /(^|;)\s*Root=/.test(before) ? `Self=${own};${before}` : `Root=${own};${before}`;
}
