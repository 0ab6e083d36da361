export type Pairs = readonly (readonly [name: string, value: string])[];

export interface RoleRecord {
  readonly account: string;
  readonly name: string;
  readonly path: string;
  /** `AROA…`; a role of the same name later has another. */
  readonly id: string;
  readonly arn: string;
  readonly createdAt: number;
  /** Who may take it on: a policy document. */
  readonly trust: string;
  readonly description?: string | undefined;
  readonly maxSessionSeconds: number;
  /** ARN of a policy. */
  readonly boundary?: string | undefined;
  readonly tags: Pairs;
  /** Inline policies: documents by name. */
  readonly inline: Pairs;
  /** ARNs of managed policies, in the order in which they were attached. */
  readonly attached: readonly string[];
}

/** A managed policy of the account's own. */
export interface PolicyRecord {
  readonly account: string;
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly arn: string;
  readonly createdAt: number;
  readonly document: string;
  readonly description?: string | undefined;
  readonly tags: Pairs;
}

export interface ProfileRecord {
  readonly account: string;
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly arn: string;
  readonly createdAt: number;
  /** Names of roles: one at most. */
  readonly roles: readonly string[];
  readonly tags: Pairs;
}
