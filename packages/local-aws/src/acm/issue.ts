import { certificateFacts } from "@gatewright/certificates";
import type { Authority } from "@gatewright/certificates";
import type { CertificateRecord, IssuedFacts, Material } from "./records.ts";

const DAY = 86_400_000;
const VALID_DAYS = 198;

/** Key algorithms that can be made here, by the name that ACM has for them. */
export const KEY_TYPES = new Map([
  ["RSA_2048", "RSA-2048"],
  ["EC_prime256v1", "P-256"],
] as const);

/** A certificate that was made, as it is kept. */
export interface Issued {
  readonly facts: IssuedFacts;
  readonly material: Material;
}

/** Which keys are made: those that were asked for, or P-256 for all, which takes a thousandth of the time. */
export type IssuedKeys = "as-asked" | "quick";

/** Makes a key and its certificate for the names of a record, valid from the midnight before `now`. */
export async function issue(
  authority: Authority,
  record: CertificateRecord,
  now: number,
  keys: IssuedKeys = "as-asked",
): Promise<Issued> {
  const notBefore = now - (now % DAY);
  const notAfter = notBefore + VALID_DAYS * DAY - 1_000;
  const asked = [...KEY_TYPES].find(([name]) => name === record.keyAlgorithm)?.[1] ?? "RSA-2048";
  const keyType = keys === "quick" ? "P-256" : asked;
  const pair = await authority.issue({
    subject: { commonName: record.names[0] ?? "" },
    names: { hosts: record.names },
    usedBy: ["server"],
    keyType,
    notBefore,
    notAfter,
  });
  const { serial } = certificateFacts(pair.certificate);
  return {
    facts: {
      serial: serialText(serial),
      subject: `CN=${record.names[0]}`,
      issuer: "Amazon",
      notBefore,
      notAfter,
      signatureAlgorithm: "SHA256WITHECDSA",
      keyUsages: keyType === "P-256" ? ["DIGITAL_SIGNATURE"] : ["DIGITAL_SIGNATURE", "KEY_ENCIPHERMENT"],
      extendedKeyUsages: [{ name: "TLS_WEB_SERVER_AUTHENTICATION", oid: "1.3.6.1.5.5.7.3.1" }],
    },
    material: { certificate: pair.certificate, chain: authority.certificate, key: pair.key },
  };
}

/** `0A1B…` as `0a:1b:…`. */
export function serialText(hex: string): string {
  return (hex.toLowerCase().match(/../g) ?? []).join(":");
}
