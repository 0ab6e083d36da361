import {
  DescribeRepositoriesCommand,
  ECRClient,
  GetLifecyclePolicyCommand,
  GetRepositoryPolicyCommand,
  LifecyclePolicyNotFoundException,
  ListTagsForResourceCommand,
  RepositoryPolicyNotFoundException,
} from "@aws-sdk/client-ecr";
import { ECRRepository } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { fieldsRoundTrip } from "../testing/fields-round-trip.ts";
import type { KindStage } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { ecrRepository } from "./index.ts";

const lifecycle = (countNumber: number) => ({
  lifecyclePolicy: {
    policyText: JSON.stringify({
      rules: [
        {
          rulePriority: 1,
          selection: { tagStatus: "untagged", countType: "sinceImagePushed", countUnit: "days", countNumber },
          action: { type: "expire" },
        },
      ],
    }),
  },
});
/** Which ECR gives back in an order of its own. */
const unordered = {
  lifecyclePolicy: {
    policyText: JSON.stringify({
      rules: [
        {
          rulePriority: 9,
          selection: { tagStatus: "any", countType: "imageCountMoreThan", countNumber: 50 },
          action: { type: "expire" },
        },
        {
          rulePriority: 2,
          selection: {
            tagStatus: "tagged",
            tagPatternList: ["v*", "rc*"],
            countType: "imageCountMoreThan",
            countNumber: 5,
          },
          action: { type: "expire" },
        },
      ],
    }),
  },
};
const policy = (Action: string | readonly string[]) => ({
  repositoryPolicy: {
    policyText: JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: "*", Action }] }),
  },
});
const excepting = (imageTagMutability: string, ...imageTagMutabilityExclusionFilters: string[]) => ({
  imageTagMutability,
  imageTagMutabilityExclusionFilters,
});

fieldsRoundTrip({
  kind: anyKind(ecrRepository),
  definition: ECRRepository,
  open: () => kindWorld({ listening: true }),
  base: (number) => ({ repositoryName: `sample/${number}` }),
  samples: {
    imageTagMutability: [
      { imageTagMutability: "IMMUTABLE" },
      { imageTagMutability: "MUTABLE" },
      excepting("IMMUTABLE_WITH_EXCLUSION", "latest"),
      excepting("MUTABLE_WITH_EXCLUSION", "v*"),
    ],
    imageTagMutabilityExclusionFilters: [
      excepting("IMMUTABLE_WITH_EXCLUSION", "latest"),
      excepting("IMMUTABLE_WITH_EXCLUSION", "dev-*", "latest"),
      excepting("MUTABLE_WITH_EXCLUSION", "v*"),
    ],
    scanOnPush: [{ scanOnPush: true }, { scanOnPush: false }],
    lifecyclePolicy: [lifecycle(1), unordered, lifecycle(30)],
    repositoryPolicy: [policy("ecr:BatchGetImage"), policy(["ecr:GetDownloadUrlForLayer"]), policy("ecr:*")],
  },
  walks: 5,
  look,
});

const clients = new WeakMap<KindStage, ECRClient>();

/** All that AWS tells of a repository, but for what is its own. */
async function look(stage: KindStage, name: string): Promise<unknown> {
  const ecr = clients.get(stage) ?? new ECRClient(stage.sdk());
  clients.set(stage, ecr);
  const { repositories: [told] = [] } = await ecr.send(new DescribeRepositoriesCommand({ repositoryNames: [name] }));
  const { createdAt: _, ...rest } = told ?? {};
  const { tags = [] } = await ecr.send(new ListTagsForResourceCommand({ resourceArn: told?.repositoryArn }));
  return {
    ...rest,
    tags: tags.map(({ Key: key, Value: value }) => `${key}=${value}`).toSorted(),
    lifecycle: await ecr
      .send(new GetLifecyclePolicyCommand({ repositoryName: name }))
      .then(({ lifecyclePolicyText: text }) => text, unless(LifecyclePolicyNotFoundException)),
    policy: await ecr
      .send(new GetRepositoryPolicyCommand({ repositoryName: name }))
      .then(({ policyText: text }) => text, unless(RepositoryPolicyNotFoundException)),
  };
}

function unless(absent: abstract new (...args: never[]) => Error): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof absent)) throw error;
    return undefined;
  };
}
