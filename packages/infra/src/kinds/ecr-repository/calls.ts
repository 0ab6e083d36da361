import { AwsCallError } from "@gatewright/aws";
import type { Immutable, Json } from "@gatewright/kube";
import type { ECRRepository } from "@gatewright/resources";
import type { AwsKind, Change, Creation, Obstacle } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import type { Repository } from "./repository.ts";

type Filters = { readonly filterType: "WILDCARD"; readonly filter: string }[];

/** Reads a repository, and of its policies those that are declared: each of them costs a call. */
export async function readRepository(
  { aws, signal }: Ground,
  name: string,
  declared: ReadonlySet<string>,
): Promise<Repository | "absent"> {
  try {
    const { repositories: [told] = [] } = await aws.ecr.describeRepositories({ repositoryNames: [name] }, { signal });
    // An answer without a repository is no answer of AWS's; it is not taken for absence.
    if (told?.repositoryArn === undefined) throw new Error(`ECR told nothing of ${name}`);
    const { tags = [] } = await aws.ecr.listTagsForResource({ resourceArn: told.repositoryArn }, { signal });
    const of = { repositoryName: name };
    const lifecycle = declared.has("lifecyclePolicy")
      ? await unlessAbsent("LifecyclePolicyNotFoundException", () => aws.ecr.getLifecyclePolicy(of, { signal }))
      : undefined;
    const policy = declared.has("repositoryPolicy")
      ? await unlessAbsent("RepositoryPolicyNotFoundException", () => aws.ecr.getRepositoryPolicy(of, { signal }))
      : undefined;
    const { encryptionType = "AES256", kmsKey } = told.encryptionConfiguration ?? {};
    return {
      name,
      arn: told.repositoryArn,
      uri: told.repositoryUri ?? "",
      registry: told.registryId ?? "",
      mutability: told.imageTagMutability ?? "MUTABLE",
      exclusions: (told.imageTagMutabilityExclusionFilters ?? []).map(({ filter }) => filter).toSorted(),
      scanOnPush: told.imageScanningConfiguration?.scanOnPush ?? false,
      encryption: { encryptionType, ...(kmsKey !== undefined && { kmsKey }) },
      ...(lifecycle?.lifecyclePolicyText !== undefined && { lifecyclePolicy: lifecycle.lifecyclePolicyText }),
      ...(policy?.policyText !== undefined && { repositoryPolicy: policy.policyText }),
      tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
    };
  } catch (error) {
    if (isCode(error, "RepositoryNotFoundException")) return "absent";
    throw error;
  }
}

/** Makes it; policies follow as changes. One of this name that is there already is whoever's it is: its tags say so. */
export async function createRepository(
  { aws, signal }: Ground,
  { object, wanted, tags }: Creation<ECRRepository>,
): Promise<string> {
  const { repositoryName, encryptionConfiguration, scanOnPush } = object.spec;
  try {
    await aws.ecr.createRepository(
      {
        repositoryName,
        tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
        ...mutabilityOf(wanted.get("imageTagMutability"), wanted.get("imageTagMutabilityExclusionFilters")),
        ...(scanOnPush !== undefined && { imageScanningConfiguration: { scanOnPush } }),
        ...(encryptionConfiguration && { encryptionConfiguration }),
      },
      { signal },
    );
  } catch (error) {
    if (!isCode(error, "RepositoryAlreadyExistsException")) throw error;
  }
  return repositoryName;
}

/** Writes what differs. */
export async function changeRepository(
  { aws, signal }: Ground,
  seen: Repository,
  { fields, wanted }: Change<ECRRepository>,
): Promise<void> {
  const repositoryName = seen.name;
  if (fields.has("imageTagMutability") || fields.has("imageTagMutabilityExclusionFilters")) {
    const filters = "imageTagMutabilityExclusionFilters";
    // What is not to be written stays as it is; a kind that makes exceptions needs some, though.
    const kept = seen.exclusions.length > 0 ? [...seen.exclusions] : wanted.get(filters);
    const mutability = mutabilityOf(fields.get("imageTagMutability") ?? seen.mutability, fields.get(filters) ?? kept);
    await aws.ecr.putImageTagMutability({ repositoryName, imageTagMutability: "MUTABLE", ...mutability }, { signal });
  }
  const scanOnPush = fields.get("scanOnPush");
  if (scanOnPush !== undefined) {
    const imageScanningConfiguration = { scanOnPush: scanOnPush === true };
    await aws.ecr.putImageScanningConfiguration({ repositoryName, imageScanningConfiguration }, { signal });
  }
  if (fields.has("lifecyclePolicy")) {
    const text = fields.get("lifecyclePolicy");
    await (text === undefined
      ? unlessAbsent("LifecyclePolicyNotFoundException", () =>
          aws.ecr.deleteLifecyclePolicy({ repositoryName }, { signal }),
        )
      : aws.ecr.putLifecyclePolicy({ repositoryName, lifecyclePolicyText: String(text) }, { signal }));
  }
  if (fields.has("repositoryPolicy")) {
    const text = fields.get("repositoryPolicy");
    await (text === undefined
      ? unlessAbsent("RepositoryPolicyNotFoundException", () =>
          aws.ecr.deleteRepositoryPolicy({ repositoryName }, { signal }),
        )
      : aws.ecr.setRepositoryPolicy({ repositoryName, policyText: String(text) }, { signal }));
  }
}

/** What goes is taken away first: together they might be more than a repository can have. */
export const tagRepository: AwsKind<ECRRepository, Repository>["tag"] = async (ground, seen, { set, remove }) => {
  const { aws, signal } = ground;
  const tags = Object.entries(set).map(([Key, Value]) => ({ Key, Value }));
  if (remove.length > 0) await aws.ecr.untagResource({ resourceArn: seen.arn, tagKeys: [...remove] }, { signal });
  if (tags.length > 0) await aws.ecr.tagResource({ resourceArn: seen.arn, tags }, { signal });
};

/** Deletes it. Images only go with it when the spec says so. */
export async function removeRepository(
  { aws, signal }: Ground,
  { name: repositoryName }: Repository,
  { spec }: Immutable<ECRRepository>,
): Promise<Obstacle | undefined> {
  try {
    await aws.ecr.deleteRepository({ repositoryName, force: spec.forceDestroy === true }, { signal });
  } catch (error) {
    if (isCode(error, "RepositoryNotEmptyException")) {
      return {
        reason: "NotEmpty",
        message: `${repositoryName} has images: delete them, set forceDestroy: true to delete it with them, or deletionPolicy Retain to keep it`,
      };
    }
    if (!isCode(error, "RepositoryNotFoundException")) throw error;
  }
  return undefined;
}

/** Patterns go with those kinds alone that make exceptions. */
function mutabilityOf(
  kind: Json | undefined,
  filters: Json | undefined,
): { readonly imageTagMutability?: string; readonly imageTagMutabilityExclusionFilters?: Filters } {
  if (typeof kind !== "string") return {};
  if (!kind.endsWith("_WITH_EXCLUSION") || !Array.isArray(filters)) return { imageTagMutability: kind };
  return {
    imageTagMutability: kind,
    imageTagMutabilityExclusionFilters: filters.map((filter) => ({ filterType: "WILDCARD", filter: String(filter) })),
  };
}

/** What a call gives; undefined when AWS says by this code that there is none. */
async function unlessAbsent<T>(code: string, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isCode(error, code)) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof AwsCallError && error.code === code;
}
