/** Bytes as PEM, with a newline at its end so that texts can be put one after the other. */
export function pemText(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM text, each by itself, in their order. What stands between them is ignored. */
export function certificatesIn(pem: string): readonly string[] {
  return (pem.match(CERTIFICATE) ?? []).map((found) => `${found}\n`);
}
