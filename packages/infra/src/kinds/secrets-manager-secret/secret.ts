/** What is read of a secret. Never its value. */
export interface SeenSecret {
  readonly name: string;
  readonly arn: string;
  readonly description: string;
  /** Undefined: the key that AWS keeps for secrets. */
  readonly kmsKeyId?: string;
  /** Id of the version that is current; undefined while it has no value. */
  readonly current?: string;
  /** Id of the version that was last written for the object: it has a label, which rotation does not move. */
  readonly written?: string;
  readonly rotation: {
    readonly enabled: boolean;
    readonly lambda?: string;
    readonly days?: number;
    readonly schedule?: string;
    readonly duration?: string;
    readonly last?: number;
    readonly next?: number;
  };
  /** A document; only where it was asked for and is set. */
  readonly policy?: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** The label of AWS's on the version that everybody reads. */
export const CURRENT = "AWSCURRENT";
/** The label on the version that was last written for the object. */
export const WRITTEN = "Gatewright";
