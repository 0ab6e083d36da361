import { aborted } from "@gatewright/ports";
import type { CertificateSource } from "./certificate-source.ts";

/** Resolves when there is a certificate, or when the signal aborts. */
export async function firstCertificate(certificates: CertificateSource, signal: AbortSignal): Promise<void> {
  const there = Promise.withResolvers<void>();
  const look = (): void => {
    if (certificates.current() !== undefined) there.resolve();
  };
  const unsubscribe = certificates.subscribe(look);
  look();
  await Promise.race([there.promise, aborted(signal)]);
  unsubscribe();
}
