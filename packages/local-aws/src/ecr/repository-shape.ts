import type { Repository } from "@gatewright/aws-wire/types/ecr";
import { registryHost, repositoryArn } from "./names.ts";
import type { RepositoryRecord } from "./records.ts";

export function repositoryTold(repository: RepositoryRecord): Repository {
  return {
    repositoryArn: repositoryArn(repository),
    registryId: repository.account,
    repositoryName: repository.name,
    repositoryUri: `${registryHost(repository)}/${repository.name}`,
    createdAt: repository.createdAt,
    ...mutabilityTold(repository),
    imageScanningConfiguration: { scanOnPush: repository.scanOnPush },
    encryptionConfiguration: repository.encryption,
  };
}

/** How tags may move, with the exceptions where there are any. */
export function mutabilityTold({
  mutability,
  exclusions,
}: RepositoryRecord): Pick<Repository, "imageTagMutability" | "imageTagMutabilityExclusionFilters"> {
  return {
    imageTagMutability: mutability,
    ...(exclusions.length > 0 && {
      imageTagMutabilityExclusionFilters: exclusions.map((filter) => ({ filterType: "WILDCARD", filter })),
    }),
  };
}
