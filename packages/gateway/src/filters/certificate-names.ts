import type { PeerCertificate } from "node:tls";

/** The names that a client's certificate has. */
export interface CertificateNames {
  readonly commonNames: readonly string[];
  readonly units: readonly string[];
  /** In their order: `spiffe://…`, DNS names, addresses, mail addresses. */
  readonly alternatives: readonly { readonly kind: string; readonly value: string }[];
}

/** `DNS:a, URI:spiffe://b/c`, where values that hold commas or quotes are JSON strings. */
const ALTERNATIVE = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/gy;

/** Reads the names of a certificate. What cannot be read for certain is left out: a name is never guessed. */
export function certificateNames(certificate: PeerCertificate): CertificateNames {
  const { subject, subjectaltname = "" } = certificate;
  return {
    commonNames: several(subject?.CN),
    units: several(subject?.OU),
    alternatives: alternatives(subjectaltname),
  };
}

function several(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((name): name is string => typeof name === "string" && name !== "");
}

function alternatives(text: string): { kind: string; value: string }[] {
  const found: { kind: string; value: string }[] = [];
  ALTERNATIVE.lastIndex = 0;
  while (ALTERNATIVE.lastIndex < text.length) {
    const at = ALTERNATIVE.exec(text);
    if (at === null) return [];
    const [, kind = "", raw = ""] = at;
    const value = raw.startsWith('"') ? unquoted(raw) : raw;
    if (value === undefined) return [];
    found.push({ kind, value });
  }
  return found;
}

function unquoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    // Not what the runtime writes: no name is read from it.
    return undefined;
  }
}

const LABEL = /^[a-z0-9_-]+(?=\.)/u;

/** Which names a list allows: as they are written, or `*.example.com` for exactly one label in place of the star. */
export function nameRule(list: readonly string[] | undefined): ((name: string) => boolean) | undefined {
  if (list === undefined || list.length === 0) return undefined;
  const exact = new Set(list);
  const folded = new Set(list.map((name) => name.toLowerCase()));
  return (name) => {
    if (exact.has(name)) return true;
    const lower = name.toLowerCase();
    const label = LABEL.exec(lower)?.[0];
    return label !== undefined && folded.has(`*${lower.slice(label.length)}`);
  };
}
