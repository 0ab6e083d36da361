/** Where repositories are. The registry of a place has the number of its account. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

export type Pairs = readonly (readonly [name: string, value: string])[];

export type Mutability = "MUTABLE" | "IMMUTABLE" | "IMMUTABLE_WITH_EXCLUSION" | "MUTABLE_WITH_EXCLUSION";

export interface RepositoryRecord extends Place {
  readonly name: string;
  readonly createdAt: number;
  readonly mutability: Mutability;
  /** Patterns of tags for which the opposite holds. */
  readonly exclusions: readonly string[];
  readonly scanOnPush: boolean;
  /** Never changes. */
  readonly encryption: { readonly encryptionType: string; readonly kmsKey?: string };
  readonly lifecycle?: { readonly text: string; readonly evaluatedAt: number } | undefined;
  readonly policy?: string | undefined;
  readonly tags: Pairs;
}

/** An image by its manifest; there are no layers. */
export interface ImageRecord {
  readonly digest: string;
  readonly manifest: string;
  readonly mediaType: string;
  readonly pushedAt: number;
  /** What a tag names is one image at most. */
  readonly tags: readonly string[];
}
