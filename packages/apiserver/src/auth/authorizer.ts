import type { UserInfo } from "./user.ts";

/** What a request wants to do: the input of authorization. */
export interface AccessAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly resource?: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
  };
  /** For requests that are not about a resource: `/healthz`. */
  readonly path?: string;
}

export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides whether a request may go on. Never throws: what cannot be evaluated is not allowed. */
export interface Authorizer {
  authorize(attributes: AccessAttributes): Decision;
}
