import { getCiphers } from "node:tls";

/** The name that OpenSSL has for a suite, by its own or its registered name; undefined when it is not known here. */
export function cipherSuite(name: string): string | undefined {
  const known = new Set(getCiphers().map((cipher) => cipher.toUpperCase()));
  const upper = name.trim().toUpperCase();
  if (known.has(upper)) return upper;
  const [, exchange, cipher] = /^TLS_([A-Z_]+)_WITH_([A-Z0-9_]+)$/u.exec(upper) ?? [];
  if (exchange === undefined || cipher === undefined) return undefined;
  const short = cipher
    .replace(/^AES_(\d+)/u, "AES$1")
    .replace(/_CBC_/u, "_")
    .replace(/^(CHACHA20_POLY1305)_SHA256$/u, "$1")
    .replaceAll("_", "-");
  const found = exchange === "RSA" ? short : `${exchange.replaceAll("_", "-")}-${short}`;
  return known.has(found) ? found : undefined;
}
