import { isLoopbackHost } from "./loopback.ts";

export interface Binding {
  /** Address or host name to listen on; empty, `0.0.0.0` and `::` mean every interface. */
  readonly address: string;
  readonly tls: boolean;
  /** Whether every caller must show a token or a certificate. */
  readonly authentication: boolean;
}

/** Why the server must not start to listen like this, or undefined when it may. */
export function bindingAllowed({ address, tls, authentication }: Binding): string | undefined {
  if (isLoopbackHost(address)) return undefined;
  const missing = [...(tls ? [] : ["TLS"]), ...(authentication ? [] : ["authentication"])];
  if (missing.length === 0) return undefined;
  const where = address === "" ? "every interface" : address;
  return `listening on ${where} lets other machines in and needs ${missing.join(" and ")}; listen on 127.0.0.1, or turn ${missing.length === 1 ? "it" : "them"} on`;
}
