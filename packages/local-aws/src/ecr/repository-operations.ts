import type { CreateRepositoryRequest, Operations } from "@gatewright/aws-wire/types/ecr";
import { AwsError } from "../aws-error.ts";
import { partitionOf } from "../partition.ts";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { checkName } from "./names.ts";
import { page } from "./page.ts";
import type { Place, RepositoryRecord } from "./records.ts";
import { invalidParameter, notEmpty, repositoryExists } from "./refusals.ts";
import { mutabilityTold, repositoryTold } from "./repository-shape.ts";
import type { EcrStore } from "./store.ts";
import { mutabilityOf } from "./tag-mutability.ts";
import { pairsOf, withTags } from "./tags.ts";

const MOST_REPOSITORIES = 100_000;

/** Repositories themselves. */
export function repositoryOperations(world: AwsWorld, store: EcrStore): Handlers<Operations> {
  return {
    CreateRepository: async (input, context) => {
      const { account, region } = context;
      const { repositoryName: name, registryId = account } = input;
      checkName(name);
      if (registryId !== account) throw invalidParameter("registryId", "must be the account that calls");
      const repository: RepositoryRecord = {
        account,
        region,
        name,
        createdAt: world.clock.now(),
        ...mutabilityOf(input.imageTagMutability, input.imageTagMutabilityExclusionFilters),
        scanOnPush: input.imageScanningConfiguration?.scanOnPush ?? false,
        encryption: encryptionOf(context, input.encryptionConfiguration),
        tags: withTags([], pairsOf(input.tags ?? [])),
      };
      if (store.find(repository) !== undefined) throw repositoryExists(name, context);
      if (store.repositoriesIn(context).length >= MOST_REPOSITORIES) {
        throw new AwsError("LimitExceededException", `There are ${MOST_REPOSITORIES} repositories already.`);
      }
      await store.put(repository);
      return { repository: repositoryTold(repository) };
    },

    DescribeRepositories: ({ repositoryNames: names, registryId, ...paging }, context) => {
      if (names !== undefined) {
        const all = names.map((repositoryName) => store.repository(context, { repositoryName, registryId }));
        return { repositories: all.map(repositoryTold) };
      }
      const all = registryId === undefined || registryId === context.account ? store.repositoriesIn(context) : [];
      const { items, next } = page(all, ({ name }) => name, paging);
      return { repositories: items.map(repositoryTold), nextToken: next };
    },

    DeleteRepository: async (input, context) => {
      const repository = store.repository(context, input);
      if (input.force !== true && store.imagesOf(repository).length > 0) throw notEmpty(repository);
      await store.delete(repository);
      return { repository: repositoryTold(repository) };
    },

    PutImageTagMutability: async (input, context) => {
      const repository = {
        ...store.repository(context, input),
        ...mutabilityOf(input.imageTagMutability, input.imageTagMutabilityExclusionFilters),
      };
      await store.put(repository);
      return { registryId: repository.account, repositoryName: repository.name, ...mutabilityTold(repository) };
    },

    PutImageScanningConfiguration: async (input, context) => {
      const scanOnPush = input.imageScanningConfiguration.scanOnPush ?? false;
      const repository = { ...store.repository(context, input), scanOnPush };
      await store.put(repository);
      return {
        registryId: repository.account,
        repositoryName: repository.name,
        imageScanningConfiguration: { scanOnPush },
      };
    },
  };
}

/** A key that is not named is the one that AWS keeps for ECR. */
function encryptionOf(
  { account, region }: Place,
  wish: CreateRepositoryRequest["encryptionConfiguration"],
): RepositoryRecord["encryption"] {
  const { encryptionType = "AES256", kmsKey } = wish ?? {};
  if (encryptionType === "AES256") {
    if (kmsKey !== undefined) throw invalidParameter("encryptionConfiguration", "kmsKey is only for KMS encryption");
    return { encryptionType };
  }
  const key = kmsKey ?? "aws-ecr";
  return {
    encryptionType,
    kmsKey: key.startsWith("arn:") ? key : `arn:${partitionOf(region)}:kms:${region}:${account}:key/${key}`,
  };
}
