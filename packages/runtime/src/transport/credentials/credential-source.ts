/** What a client shows to a server. */
export interface Credentials {
  /** The value of the header. */
  readonly authorization?: string;
  /** A client certificate and its key, PEM. */
  readonly cert?: string;
  readonly key?: string;
}

/** Credentials that may change while a process runs. */
export interface CredentialSource {
  /** What to show now. Rejects with a `credentials` TransportError when there is nothing to show. */
  current(signal?: AbortSignal): Promise<Credentials>;
  /** The server did not accept these: `current` is to look for newer ones. */
  refused(credentials: Credentials): void;
}

/** Shows nothing. */
export const noCredentials: CredentialSource = { current: async () => ({}), refused() {} };

export function sameCredentials(a: Credentials, b: Credentials): boolean {
  return a.authorization === b.authorization && a.cert === b.cert && a.key === b.key;
}
