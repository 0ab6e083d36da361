import { ECRRepository } from "@gatewright/resources";
import { tagsIn, textIn, within } from "../cli.ts";
import type { Cli } from "../cli.ts";
import type { KindTour } from "../kind-tour.ts";
import { managed } from "../managed.ts";

const LIFECYCLE = {
  rules: [
    {
      rulePriority: 1,
      selection: { tagStatus: "untagged", countType: "sinceImagePushed", countUnit: "days", countNumber: 14 },
      action: { type: "expire" },
    },
  ],
};
const POLICY = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: "*", Action: "ecr:BatchGetImage" }],
};
const on = (cli: Cli, command: string, name: string, ...rest: (string | object)[]) =>
  cli.askUnless(/PolicyNotFoundException$/, `ecr ${command} --repository-name ${name}`, ...rest);
const described = (cli: Cli, name: string) =>
  cli.askUnless(/^RepositoryNotFoundException$/, `ecr describe-repositories --repository-names ${name}`);

export const ecrRepositoryTour: KindTour = {
  title: "ECRRepository",
  resource: managed(ECRRepository),
  find: async (cli, name) => ((await described(cli, name)) === undefined ? undefined : name),
  looks: {
    repository: async (cli, name) => within(await described(cli, name), "repositories", 0),
    lifecycle: async (cli, name) => within(await on(cli, "get-lifecycle-policy", name), "lifecyclePolicyText"),
    policy: async (cli, name) => within(await on(cli, "get-repository-policy", name), "policyText"),
  },
  async tags(cli, name) {
    const arn = textIn(await described(cli, name), "repositories", 0, "repositoryArn");
    return tagsIn(within(await cli.ask(`ecr list-tags-for-resource --resource-arn ${arn}`), "tags"));
  },
  open: async () => ({
    spec: (repositoryName) => ({ repositoryName, imageTagMutability: "IMMUTABLE" }),
    made: { repository: { imageTagMutability: "IMMUTABLE", imageScanningConfiguration: { scanOnPush: false } } },
    replacement: {
      put: { encryptionConfiguration: { encryptionType: "KMS" } },
      sees: { repository: { encryptionConfiguration: { encryptionType: "KMS" } } },
    },
    changes: [
      {
        field: "imageTagMutability",
        put: { imageTagMutability: "MUTABLE" },
        sees: { repository: { imageTagMutability: "MUTABLE" } },
      },
      {
        field: "imageTagMutabilityExclusionFilters",
        put: { imageTagMutability: "IMMUTABLE_WITH_EXCLUSION", imageTagMutabilityExclusionFilters: ["latest"] },
        sees: {
          repository: {
            imageTagMutability: "IMMUTABLE_WITH_EXCLUSION",
            imageTagMutabilityExclusionFilters: [{ filterType: "WILDCARD", filter: "latest" }],
          },
        },
      },
      {
        field: "scanOnPush",
        put: { scanOnPush: true },
        sees: { repository: { imageScanningConfiguration: { scanOnPush: true } } },
      },
      {
        field: "lifecyclePolicy",
        put: { lifecyclePolicy: { policyText: JSON.stringify(LIFECYCLE) } },
        sees: { lifecycle: LIFECYCLE },
      },
      {
        field: "repositoryPolicy",
        put: { repositoryPolicy: { policyText: JSON.stringify(POLICY) } },
        sees: { policy: POLICY },
      },
    ],
  }),
  drift: {
    by: (cli, name) => cli.ask(`ecr put-image-tag-mutability --image-tag-mutability MUTABLE --repository-name ${name}`),
    sees: { repository: { imageTagMutability: "MUTABLE" } },
  },
  makeByHand: (cli, name) => cli.ask(`ecr create-repository --tags Key=team,Value=old --repository-name ${name}`),
  hold: {
    by: (cli, name) => on(cli, "put-image", name, "--image-tag", "v1", "--image-manifest", MANIFEST),
    reason: "NotEmpty",
    letGo: { forceDestroy: true },
  },
  isReplaceable: true,
};

const layer = (mediaType: string) => ({ mediaType, size: 1, digest: `sha256:${"a".repeat(64)}` });
/** An image as Docker pushes it. */
const MANIFEST = {
  schemaVersion: 2,
  mediaType: "application/vnd.docker.distribution.manifest.v2+json",
  config: layer("application/vnd.docker.container.image.v1+json"),
  layers: [layer("application/vnd.docker.image.rootfs.diff.tar.gzip")],
};
