/** What a TLS connection is made with: whom to trust, and whom to be. PEM. */
export interface TlsMaterial {
  /** Authorities that may vouch for the server. Default: those of Node. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name in the server's certificate, when it is not the host of its URL. */
  readonly serverName?: string;
  /** Believe any server. Whoever stands between can read and change everything. */
  readonly insecure?: boolean;
}

/** Whether connections made with one can serve requests that should be made with the other. */
export function sameMaterial(a: TlsMaterial, b: TlsMaterial): boolean {
  return (
    a.ca === b.ca && a.cert === b.cert && a.key === b.key && a.serverName === b.serverName && a.insecure === b.insecure
  );
}
