import type { Operations, Tag } from "@gatewright/aws-wire/types/ecr";
import { AwsError } from "../aws-error.ts";
import type { TaggedResources } from "../neighbours.ts";
import type { CallContext, Handlers } from "../service.ts";
import { readArn, repositoryArn } from "./names.ts";
import type { Pairs, RepositoryRecord } from "./records.ts";
import { invalidParameter, noRepository } from "./refusals.ts";
import type { EcrStore } from "./store.ts";

const MOST = 50;
const TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Tags with others put over them. Refuses what ECR does. */
export function withTags(before: Pairs, added: Iterable<readonly [key: string, value: string]>): Pairs {
  const next = new Map(before);
  for (const [key, value] of added) {
    if (key === "" || key.length > 128 || value.length > 256 || !TEXT.test(key) || !TEXT.test(value)) {
      throw new AwsError("InvalidTagParameterException", `The tag ${key.slice(0, 128)} is not one that can be set.`);
    }
    if (/^aws:/i.test(key)) {
      throw new AwsError("InvalidTagParameterException", "Tag keys that begin with aws: are reserved.");
    }
    next.set(key, value);
  }
  if (next.size > MOST) throw new AwsError("TooManyTagsException", `A repository can have ${MOST} tags at most.`);
  return [...next];
}

/** Tags of a request as pairs. */
export function pairsOf(tags: readonly Tag[]): Pairs {
  return tags.map(({ Key, Value }) => [Key, Value]);
}

/** Tags of repositories. */
export function tagOperations(store: EcrStore): Handlers<Operations> {
  const named = (arn: string, { account, region }: CallContext): RepositoryRecord => {
    const read = readArn(arn);
    if (read === undefined) throw invalidParameter("resourceArn", "must be the ARN of a repository");
    const found = read.account === account && read.region === region ? store.find(read) : undefined;
    if (found === undefined) throw noRepository(read.name, read.account);
    return found;
  };
  return {
    TagResource: async ({ resourceArn, tags }, context) => {
      const repository = named(resourceArn, context);
      await store.put({ ...repository, tags: withTags(repository.tags, pairsOf(tags)) });
      return {};
    },
    UntagResource: async ({ resourceArn, tagKeys }, context) => {
      await store.put(without(named(resourceArn, context), tagKeys));
      return {};
    },
    ListTagsForResource: ({ resourceArn }, context) => ({
      tags: named(resourceArn, context).tags.map(([Key, Value]) => ({ Key, Value })),
    }),
  };
}

/** Repositories for the tagging API. */
export function taggedRepositories(store: EcrStore): TaggedResources {
  const change = async (arn: string, next: (repository: RepositoryRecord) => RepositoryRecord): Promise<boolean> => {
    const read = readArn(arn);
    const repository = read && store.find(read);
    if (repository === undefined) return false;
    await store.put(next(repository));
    return true;
  };
  return {
    *list(account, region) {
      for (const repository of store.repositoriesIn({ account, region })) {
        yield { arn: repositoryArn(repository), tags: new Map(repository.tags) };
      }
    },
    tag: (arn, tags) => change(arn, (repository) => ({ ...repository, tags: withTags(repository.tags, tags) })),
    untag: (arn, keys) => change(arn, (repository) => without(repository, keys)),
  };
}

function without(repository: RepositoryRecord, keys: readonly string[]): RepositoryRecord {
  return { ...repository, tags: repository.tags.filter(([key]) => !keys.includes(key)) };
}
