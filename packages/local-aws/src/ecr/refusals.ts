import { AwsError } from "../aws-error.ts";
import type { Place, RepositoryRecord } from "./records.ts";

/** Refusals in the words of ECR. */
export const invalidParameter = (name: string, why: string): AwsError =>
  new AwsError("InvalidParameterException", `Invalid parameter at '${name}' failed to satisfy constraint: '${why}'`);

export const noRepository = (name: string, registry: string): AwsError =>
  new AwsError(
    "RepositoryNotFoundException",
    `The repository with name '${name}' does not exist in the registry with id '${registry}'`,
  );

export const repositoryExists = (name: string, { account }: Place): AwsError =>
  new AwsError(
    "RepositoryAlreadyExistsException",
    `The repository with name '${name}' already exists in the registry with id '${account}'`,
  );

export const notEmpty = ({ name, account }: RepositoryRecord): AwsError =>
  new AwsError(
    "RepositoryNotEmptyException",
    `The repository with name '${name}' in registry with id '${account}' cannot be deleted because it still contains images`,
  );

export const noLifecyclePolicy = ({ name, account }: RepositoryRecord): AwsError =>
  new AwsError(
    "LifecyclePolicyNotFoundException",
    `Lifecycle policy does not exist for the repository with name '${name}' in the registry with id '${account}'`,
  );

export const noPolicy = ({ name, account }: RepositoryRecord): AwsError =>
  new AwsError(
    "RepositoryPolicyNotFoundException",
    `Repository policy does not exist for the repository with name '${name}' in the registry with id '${account}'`,
  );
