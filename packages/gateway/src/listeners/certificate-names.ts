import { X509Certificate } from "node:crypto";

/** The DNS names of a PEM certificate, the first of its file, lower-case. Names that are no host names are left out. */
export function certificateNames(pem: string): string[] {
  const names = new X509Certificate(pem).subjectAltName?.split(", ") ?? [];
  return names.flatMap((name) => {
    const found = /^DNS:((?:\*\.)?[a-z0-9_.-]+)$/iu.exec(name)?.[1];
    return found === undefined ? [] : [found.toLowerCase()];
  });
}
