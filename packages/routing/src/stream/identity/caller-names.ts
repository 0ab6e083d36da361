import { certificateFacts } from "@gatewright/certificates";
import { identityOf } from "./identity-of.ts";
import type { GatewayName } from "./identity-of.ts";

/** What of a call tells who calls. grpc-js fills it in only for certificates that the handshake has verified. */
export interface Call {
  getAuthContext(): { readonly sslPeerCertificate?: { readonly raw: Buffer } } | null;
}

/** Which gateways the caller's certificate speaks for; none without a verified one. */
export function callerNames(call: Call): readonly GatewayName[] {
  const raw = call.getAuthContext()?.sslPeerCertificate?.raw;
  if (raw === undefined) return [];
  const pem = `-----BEGIN CERTIFICATE-----\n${raw.toString("base64")}\n-----END CERTIFICATE-----\n`;
  return identityOf(certificateFacts(pem));
}
