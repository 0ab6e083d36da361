/** What is wrong, and whether it is more than a matter of waiting. */
export interface Trouble {
  /** UpperCamelCase, for machines. */
  readonly reason: string;
  /** For people; names the object, pod or container. */
  readonly message: string;
  readonly failing: boolean;
}

/** One fact for a condition. */
export interface Fact {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** How an Application is, without times. */
export interface Verdict {
  readonly phase: "Pending" | "Running" | "Failed" | "Succeeded";
  /** Whether something is wrong, though older pods may still serve. */
  readonly failing: boolean;
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly ready: Fact;
  readonly progressing: Fact;
  /** Whether enough pods answer; unknown for what runs to completion. */
  readonly available?: Fact | undefined;
}

/** A verdict with what the way from outside comes to. */
export interface FullVerdict extends Verdict {
  /** Whether it answers at its hostname; undefined for what is not exposed. */
  readonly exposed?: Fact | undefined;
  readonly url?: string | undefined;
}
