import type { RoleRule } from "./allowed-roles.ts";

/** What a platform team decides about providers. */
export interface ProviderSettings {
  /** How often AWS is asked who we are, give or take a tenth. Default: 5 minutes. */
  readonly checkMs: number;
  /**
   * Which identities of the operator namespaces may use: roles that it assumes, and its own. Credentials that a provider brings itself
   * are not limited by it. Default: everybody may use all of them, and AWS's trust policies decide.
   */
  readonly allowedRoles: readonly RoleRule[] | undefined;
  /**
   * Endpoints that may be anywhere, and may be shown the operator's own identity. Others are only asked with credentials from a
   * Secret, and never at addresses of this machine or of the cloud's metadata. Default: none.
   */
  readonly trustedEndpoints: readonly string[];
  /**
   * Whether providers may name other endpoints at all. What their Secrets hold is sent there: who may make a provider with an endpoint
   * can learn credentials that are in Secrets of the namespace. Default: true.
   */
  readonly tenantEndpoints: boolean;
  /** Whether those may be on this machine. Default: false. */
  readonly loopbackEndpoints: boolean;
  /** Whether sessions of assumed roles carry tags with namespace and name: trust policies must allow `sts:TagSession`. Default: false. */
  readonly sessionTags: boolean;
}

export const DEFAULT_PROVIDER_SETTINGS: ProviderSettings = {
  checkMs: 5 * 60_000,
  allowedRoles: undefined,
  trustedEndpoints: [],
  tenantEndpoints: true,
  loopbackEndpoints: false,
  sessionTags: false,
};
