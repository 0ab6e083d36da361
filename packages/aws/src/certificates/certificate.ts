import type { AwsCallError } from "../aws-call-error.ts";

/** A name of a certificate, and how far the proof is that it is ours. */
export interface NameValidation {
  readonly name: string;
  /** ACM's: `PENDING_VALIDATION`, `SUCCESS`, `FAILED`. */
  readonly status: string;
  /**
   * The CNAME that proves it: its name lower case and without a trailing dot, its value as ACM spells it. Missing for the first seconds
   * after a request.
   */
  readonly record?: { readonly name: string; readonly value: string };
}

/** A certificate as it was last seen. What only a describe tells is there when somebody asked for that certificate and it was told. */
export interface Certificate {
  readonly arn: string;
  /** ACM's: `PENDING_VALIDATION`, `ISSUED`, `FAILED` and others. */
  readonly status: string;
  /** ACM's: `AMAZON_ISSUED`, `IMPORTED`, `PRIVATE`. */
  readonly type: string;
  /** Lower case, the common name first. */
  readonly names: readonly string[];
  /** Follows the load balancers with a delay. */
  readonly inUse: boolean;
  /** As a request spells it, `EC_prime256v1`. */
  readonly keyAlgorithm?: string;
  /** Of certificates with this cluster's tag, and of those that somebody asked for; of others only where they had to be read. */
  readonly tags?: ReadonlyMap<string, string>;
  readonly validations?: readonly NameValidation[];
  /** ACM's, `CAA_ERROR`. */
  readonly failureReason?: string;
  /** Milliseconds since the Unix epoch. */
  readonly notAfter?: number;
  /** Looked at once a day when the end is near. */
  readonly renewal?: {
    readonly status: string;
    readonly reason?: string;
    readonly validations: readonly NameValidation[];
  };
}

/** A certificate that is wanted. */
export interface CertificateOrder {
  /** Lower case. One of them should have 64 characters at most: it becomes the common name. */
  readonly names: readonly string[];
  /** At most 32 word characters. The same for the same names and attempt: what makes it one certificate, whoever asks and how often. */
  readonly token: string;
  readonly keyAlgorithm: string;
  /** The tag of the cluster must be among them, or it is not found again. One with the token is added. */
  readonly tags: Readonly<Record<string, string>>;
  /** Who is told of changes. */
  readonly owner: string;
}

export type RequestProgress =
  | { readonly state: "waiting" }
  | { readonly state: "requested"; readonly arn: string }
  /** `refused`: for what was asked, or a quota. `failed`: trouble that passes, or no rights. Its owners are told when it may be asked again. */
  | { readonly state: "refused" | "failed"; readonly error: AwsCallError };

export type RemovalProgress =
  | { readonly state: "waiting" }
  | { readonly state: "gone" }
  /** Its owners are told when it is worth asking again. */
  | { readonly state: "inUse" }
  | { readonly state: "failed"; readonly error: AwsCallError };

/**
 * The certificates of an account in a region. Every question is answered at once with what is known; calls are made in the background
 * while `run` runs, few of them: the state of all certificates comes from listings. Holds nothing that cannot be lost: who asks again
 * after a restart gets the same answers.
 */
export interface Certificates {
  /**
   * Requests it, and tells how far that is when asked again with the same token: one token never makes two certificates, whatever is
   * lost on the way and whoever restarts. What failed is tried again when it is asked for again, not before a while has passed.
   */
  request(order: CertificateOrder): RequestProgress;
  /**
   * Deletes it. One try an ask: what is in use is tried again when it is asked for again, so that who changed their mind just asks no
   * more. `gone`: AWS said so.
   */
  remove(arn: string, owner: string): RemovalProgress;
  /**
   * As last seen. `unknown`: not seen yet; it is being looked for. `absent`: a describe and a complete sweep after it both said so, both
   * well after the request, or it was removed here. An error never makes it absent.
   */
  get(arn: string): Certificate | "absent" | "unknown";
  /**
   * Certificates of that state that serve a name, by itself or by a wildcard one level above; those with this cluster's tag first. Not
   * those that are being removed. `unknown` before the first complete sweep; `owner` is told then.
   */
  covering(name: string, status: "ISSUED" | "PENDING_VALIDATION", owner?: string): readonly Certificate[] | "unknown";
  /**
   * Every certificate of the account, in all configured regions, that has this name or its wildcard twin, and so needs the same
   * validation record. `unknown` when the last sweep is not fresh: one is made then, and `owner` is told.
   */
  carrying(name: string, owner?: string): readonly Certificate[] | "unknown";
  /** All that ACM tells of a certificate now: a live read, for what nobody remembers. `absent` only when ACM said so. */
  describe(arn: string, signal: AbortSignal): Promise<Certificate | "absent">;
  /** Those with this cluster's tag: to find what nobody wants any more. `unknown` until all tags were read. */
  own(): readonly Certificate[] | "unknown";
  /** Has a pending certificate swept often until it has ended, which a request does too, and its validation records told in any case. */
  interest(arn: string): void;
  /**
   * Told of every change of a certificate that was asked for, and of the progress of requests and removals; `owners` are those who
   * gave orders for it. The ARN is empty where there is none: a request that was not answered, a sweep that an owner waited for.
   */
  onChange(listener: (arn: string, owners: readonly string[]) => void): void;
  /** Works until the signal aborts, then forgets everything. One run at a time. */
  run(signal: AbortSignal): Promise<void>;
}
