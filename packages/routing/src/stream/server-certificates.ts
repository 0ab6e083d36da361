import { experimental } from "@grpc/grpc-js";
import type { ServerCredentials } from "@grpc/grpc-js";

/** What a server shows, and whose certificates it takes. All PEM. */
export interface ServerMaterial {
  readonly certificate: string;
  readonly key: string;
  /** One or more authorities, one after the other: both the old and the new one while they change. */
  readonly authorities: string;
}

/** What a server shows at the moment. */
export interface MaterialSource {
  /** Undefined while there is none: nobody is let in then. */
  readonly current: ServerMaterial | undefined;
  /** Told when `current` is another one. */
  subscribe(listener: () => void): () => void;
}

type Listener<T> = (update: T | null) => void;

/**
 * Credentials that demand a client certificate and can change while a server runs: the next handshake uses the new ones, connections
 * that exist stay. grpc-js calls this a certificate provider; it gives what changes to `setSecureContext` of the running server. One
 * object is both of its providers, as 1.14 takes them in either order, and tells its listeners a little later, as it is not ready to
 * hear them at once.
 */
export function changingServerCredentials(source: MaterialSource): ServerCredentials {
  const authorities = new Set<Listener<{ caCertificate: Buffer }>>();
  const identities = new Set<Listener<{ certificate: Buffer; privateKey: Buffer }>>();
  let unsubscribe: (() => void) | undefined;
  const tell = (): void => {
    const now = source.current;
    for (const listener of authorities) listener(now ? { caCertificate: Buffer.from(now.authorities) } : null);
    for (const listener of identities)
      listener(now ? { certificate: Buffer.from(now.certificate), privateKey: Buffer.from(now.key) } : null);
  };
  const changed = (): void => {
    const listening = authorities.size + identities.size > 0;
    if (listening) {
      unsubscribe ??= source.subscribe(tell);
      queueMicrotask(tell);
    } else {
      unsubscribe?.();
      unsubscribe = undefined;
    }
  };
  const taking =
    <T>(all: Set<T>, does: "add" | "delete") =>
    (listener: T): void => {
      all[does](listener);
      changed();
    };
  const provider = {
    addCaCertificateListener: taking(authorities, "add"),
    removeCaCertificateListener: taking(authorities, "delete"),
    addIdentityCertificateListener: taking(identities, "add"),
    removeIdentityCertificateListener: taking(identities, "delete"),
  };
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}
