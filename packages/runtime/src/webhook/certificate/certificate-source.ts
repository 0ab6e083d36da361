import type { KeyPair } from "@gatewright/certificates";

/** Where a server's certificate comes from, and how long it stays good. */
export interface CertificateSource {
  /** What to serve with now; undefined until there is something. */
  current(): KeyPair | undefined;
  /** PEM of the authorities by which callers should know the server; undefined when somebody else tells them. */
  bundle(): string | undefined;
  /** Calls `changed` whenever `current` or `bundle` has become another. Gives what ends it. */
  subscribe(changed: () => void): () => void;
  /** Callers know the server by this bundle now. An authority that was never told of is not used. */
  confirm(bundle: string): void;
  /** Keeps the certificate good until the signal aborts. Resolves then; failures are logged and tried again. */
  run(signal: AbortSignal): Promise<void>;
}
