/** `spec.authorization`. */
export interface AuthorizationSpec {
  readonly enabled?: boolean | undefined;
  /** What holds when no policy says anything. Default: `deny`. */
  readonly defaultPolicy?: string | undefined;
  readonly skipPaths?: readonly string[] | undefined;
  readonly rbac?: RbacSpec | undefined;
  readonly abac?: AbacSpec | undefined;
  readonly external?: ExternalSpec | undefined;
  readonly cache?: DecisionCacheSpec | undefined;
}

/** What every policy has. Lists that are left out or empty stand for everything. */
export interface PolicySpec {
  readonly name: string;
  readonly resources?: readonly string[] | undefined;
  readonly actions?: readonly string[] | undefined;
  /** Default: `allow`. */
  readonly effect?: string | undefined;
  /** Higher ones are asked first. Default: 0. */
  readonly priority?: number | undefined;
}

export interface RbacSpec {
  readonly enabled?: boolean | undefined;
  readonly policies?: readonly (PolicySpec & { readonly roles?: readonly string[] | undefined })[] | undefined;
  /** Who has a role has these as well. */
  readonly roleHierarchy?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface AbacSpec {
  readonly enabled?: boolean | undefined;
  readonly policies?: readonly (PolicySpec & { readonly expression: string })[] | undefined;
}

export interface ExternalSpec {
  readonly enabled?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly failOpen?: boolean | undefined;
  readonly opa?:
    | {
        readonly url: string;
        readonly policy?: string | undefined;
        readonly headers?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
}

export interface DecisionCacheSpec {
  readonly enabled?: boolean | undefined;
  readonly ttl?: string | undefined;
  readonly maxSize?: number | undefined;
  readonly type?: string | undefined;
  readonly redis?: object | undefined;
  readonly sentinel?: object | undefined;
}
