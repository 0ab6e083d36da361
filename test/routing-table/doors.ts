import type { AddressInfo } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import type { Certificates } from "./certificates.ts";
import type { CaseRequest } from "./routing-case.ts";

type Address = Pick<AddressInfo, "address" | "port">;

/** Where a world listens: without TLS, and with it. */
export interface Doors {
  readonly plain: Address;
  /** Asks clients for a certificate, and takes them without. */
  readonly secure: Address;
  readonly certificates: Certificates;
}

/** The door of a request. */
export function doorOf(doors: Doors, { tls }: CaseRequest): Address {
  return tls === undefined ? doors.plain : doors.secure;
}

/** How the client of a request speaks TLS. */
export function clientTls({ certificates }: Doors, { tls, host }: CaseRequest): ConnectionOptions | undefined {
  if (tls === undefined) return undefined;
  const shown = tls.certificate === undefined ? {} : certificates.pair(tls.certificate);
  return { servername: tls.serverName ?? host, ca: certificates.authority, ...shown };
}

/** Whose certificate the other side showed. */
export function shownOn(socket: Partial<Pick<TLSSocket, "getPeerCertificate">> | null | undefined): string {
  const subject = socket?.getPeerCertificate?.()?.subject;
  return subject === undefined ? "" : String(subject.CN);
}
