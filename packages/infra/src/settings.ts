/** What a platform team decides about AWS resources. */
export interface InfraSettings {
  /** In the tags of resources: which cluster's they are. Must not change: it says whose resources are. */
  readonly cluster: string;
}

export const DEFAULT_INFRA_SETTINGS: InfraSettings = { cluster: "default" };
