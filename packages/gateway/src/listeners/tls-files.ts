import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { SecureContext, SecureContextOptions } from "node:tls";
import { certificateNames } from "./certificate-names.ts";
import type { CertificateFiles, ListenerTls } from "./listener-settings.ts";

/** One certificate, ready for handshakes. */
export interface LoadedCertificate {
  readonly files: CertificateFiles;
  readonly names: readonly string[];
  readonly options: SecureContextOptions;
  readonly context: SecureContext;
}

/** A certificate that is given as it is, PEM. */
export interface GivenCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate as a listener uses it. Throws when it cannot be used. */
export function contextOptions(
  { certificate, key }: GivenCertificate,
  tls: ListenerTls,
  ca: string | undefined,
): SecureContextOptions {
  return {
    cert: certificate,
    key,
    minVersion: tls.minVersion ?? "TLSv1.2",
    ...(tls.maxVersion !== undefined && { maxVersion: tls.maxVersion }),
    ...(tls.ciphers !== undefined && { ciphers: tls.ciphers }),
    ...(ca !== undefined && { ca }),
    honorCipherOrder: true,
  };
}

/** Reads a certificate and its key. Rejects when they cannot be read or do not belong together. */
export async function loadCertificate(
  files: CertificateFiles,
  tls: ListenerTls,
  ca: string | undefined,
): Promise<LoadedCertificate> {
  const [cert, key] = await Promise.all([readFile(files.certFile, "utf8"), readFile(files.keyFile, "utf8")]);
  const options = contextOptions({ certificate: cert, key }, tls, ca);
  const names = [...certificateNames(cert), ...(files.hosts ?? []).map((host) => host.toLowerCase())];
  return { files, names, options, context: createSecureContext(options) };
}

/** Reads certificates of authorities. Rejects when the file does not begin with one: nobody could be verified by it. */
export async function readAuthorities(file: string): Promise<string> {
  const pem = await readFile(file, "utf8");
  certificateNames(pem);
  return pem;
}

/** All files that a listener's TLS is made of. */
export function filesOf(tls: ListenerTls): string[] {
  const ca = tls.clientCertificates?.caFile;
  return [
    ...tls.certificates.flatMap(({ certFile, keyFile }) => [certFile, keyFile]),
    ...(ca === undefined ? [] : [ca]),
  ];
}

/** What changes when one of the files is written, or replaced by another of the same name. */
export async function stampOf(files: readonly string[]): Promise<string> {
  const stamps = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ ino, size, mtimeMs, ctimeMs }) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`,
        (error: NodeJS.ErrnoException) => String(error.code),
      ),
    ),
  );
  return stamps.join("\n");
}
