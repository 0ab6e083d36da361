/** What is read of a repository. */
export interface Repository {
  readonly name: string;
  readonly arn: string;
  readonly uri: string;
  readonly registry: string;
  readonly mutability: string;
  /** Sorted. */
  readonly exclusions: readonly string[];
  readonly scanOnPush: boolean;
  readonly encryption: { readonly encryptionType: string; readonly kmsKey?: string };
  /** Documents; only where they were asked for and are set. */
  readonly lifecyclePolicy?: string;
  readonly repositoryPolicy?: string;
  readonly tags: Readonly<Record<string, string>>;
}
