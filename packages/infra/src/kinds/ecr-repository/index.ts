import { ECRRepository } from "@gatewright/resources";
import type { AwsKind } from "../../engine/aws-kind.ts";
import { changeRepository, createRepository, readRepository, removeRepository, tagRepository } from "./calls.ts";
import { REPOSITORY_FIELDS } from "./fields.ts";
import type { Repository } from "./repository.ts";

/** Repositories of ECR. The name is the id. */
export const ecrRepository: AwsKind<ECRRepository, Repository> = {
  resource: ECRRepository,
  finalizer: "aws-infra-operator.runner.codes/ecr-finalizer",
  service: "ecr",
  tagType: "ecr:repository",
  holdsData: true,
  // Two calls at least, and none for many at once.
  driftMs: 30 * 60_000,
  lagMs: 5_000,
  nameOf: ({ repositoryName }) => repositoryName,
  idOf: (arn) => arn.slice(arn.indexOf("/") + 1),
  fields: REPOSITORY_FIELDS,
  outputsInStatus: { arn: "repositoryArn", uri: "repositoryUri" },
  read: readRepository,
  create: createRepository,
  change: changeRepository,
  tag: tagRepository,
  remove: removeRepository,
  idIn: ({ name }) => name,
  tagsOf: ({ tags }) => tags,
  stateOf: () => ({ is: "ready" }),
  statusOf: ({ arn, uri, registry }) => ({ repositoryArn: arn, repositoryUri: uri, registryId: registry }),
  outputsOf: ({ arn, uri, name, registry }) => ({ arn, uri, name, registryId: registry }),
};
