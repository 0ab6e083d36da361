/** `spec.authentication`. */
export interface AuthenticationSpec {
  readonly enabled?: boolean | undefined;
  readonly allowAnonymous?: boolean | undefined;
  readonly skipPaths?: readonly string[] | undefined;
  readonly jwt?: JwtSpec | undefined;
  readonly apiKey?: ApiKeySpec | undefined;
  readonly mtls?: MtlsSpec | undefined;
  readonly oidc?: OidcSpec | undefined;
  readonly basic?: BasicSpec | undefined;
}

export interface JwtSpec {
  readonly enabled?: boolean | undefined;
  readonly algorithm?: string | undefined;
  readonly issuer?: string | undefined;
  readonly audience?: readonly string[] | undefined;
  readonly secret?: string | undefined;
  readonly publicKey?: string | undefined;
  readonly jwksUrl?: string | undefined;
  readonly claimMapping?: ClaimMapping | undefined;
}

/** Where in a token things are: a claim's name, or a path with dots into it. */
export interface ClaimMapping {
  readonly roles?: string | undefined;
  readonly permissions?: string | undefined;
  readonly groups?: string | undefined;
  readonly scopes?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

export interface ApiKeySpec {
  readonly enabled?: boolean | undefined;
  /** Default: `X-API-Key`. Empty: none, only the query. */
  readonly header?: string | undefined;
  readonly query?: string | undefined;
  readonly hashAlgorithm?: string | undefined;
  readonly vaultPath?: string | undefined;
  readonly keys?:
    | readonly {
        readonly name: string;
        /** Of the key: hexadecimal digits for sha256 and sha512, or `$2b$…`. */
        readonly hash: string;
        readonly roles?: readonly string[] | undefined;
      }[]
    | undefined;
}

export interface MtlsSpec {
  readonly enabled?: boolean | undefined;
  readonly caFile?: string | undefined;
  readonly extractIdentity?: string | undefined;
  readonly allowedCNs?: readonly string[] | undefined;
  readonly allowedOUs?: readonly string[] | undefined;
}

export interface OidcSpec {
  readonly enabled?: boolean | undefined;
  readonly providers?:
    | readonly {
        readonly name: string;
        readonly issuerUrl: string;
        readonly clientId: string;
        readonly clientSecret?: string | undefined;
        readonly clientSecretRef?: { readonly name: string; readonly key: string } | undefined;
        /** All of which a token must have. */
        readonly scopes?: readonly string[] | undefined;
      }[]
    | undefined;
}

export interface BasicSpec {
  readonly enabled?: boolean | undefined;
  readonly realm?: string | undefined;
  readonly users?:
    | readonly {
        readonly username: string;
        /** `$2b$…`, or `sha256:` and hexadecimal digits. */
        readonly passwordHash: string;
        readonly roles?: readonly string[] | undefined;
      }[]
    | undefined;
}
