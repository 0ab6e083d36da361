/** Where secrets are. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

export type Pairs = readonly (readonly [name: string, value: string])[];

/** What a secret says: a text, or bytes as base64. */
export type SecretValue = { readonly text: string } | { readonly base64: string };

export interface VersionRecord {
  readonly id: string;
  readonly value: SecretValue;
  /** Labels such as `AWSCURRENT`; each is on one version at most. Without any the version is deprecated. */
  readonly stages: readonly string[];
  readonly createdAt: number;
  readonly accessedAt?: number;
}

export interface RotationRules {
  readonly AutomaticallyAfterDays?: number | undefined;
  readonly Duration?: string | undefined;
  readonly ScheduleExpression?: string | undefined;
}

/** A secret, until it is purged. */
export interface SecretRecord extends Place {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly accessedAt?: number;
  readonly description?: string | undefined;
  readonly kmsKeyId?: string | undefined;
  readonly tags: Pairs;
  readonly policy?: string | undefined;
  /** Oldest first. */
  readonly versions: readonly VersionRecord[];
  readonly rotation?: { readonly enabled: boolean; readonly lambda: string; readonly rules?: RotationRules };
  /** Marked for deletion at a moment, and gone from another on. */
  readonly deletion?: { readonly at: number; readonly until: number } | undefined;
}
