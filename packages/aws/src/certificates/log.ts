/** Where trouble is told that nobody asked about. A log of the runtime is one. */
export interface CertificateLog {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
