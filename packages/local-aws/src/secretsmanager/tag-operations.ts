import type { Operations } from "@gatewright/aws-wire/types/secretsmanager";
import type { TaggedResources } from "../neighbours.ts";
import type { Handlers } from "../service.ts";
import { readArn } from "./names.ts";
import type { SecretRecord } from "./records.ts";
import type { SecretStore } from "./store.ts";
import { pairsOf, withTags } from "./tag-rules.ts";

/** Tags of secrets. */
export function tagOperations(store: SecretStore): Handlers<Operations> {
  return {
    TagResource: async ({ SecretId, Tags }, context) => {
      const secret = store.living(context, SecretId);
      await store.put({ ...secret, tags: withTags(secret.tags, pairsOf(Tags)) });
      return {};
    },
    UntagResource: async ({ SecretId, TagKeys }, context) => {
      await store.put(without(store.living(context, SecretId), TagKeys));
      return {};
    },
  };
}

/** Secrets for the tagging API. */
export function taggedSecrets(store: SecretStore): TaggedResources {
  const change = async (arn: string, next: (secret: SecretRecord) => SecretRecord): Promise<boolean> => {
    const place = readArn(arn);
    const secret = place && store.find(place, arn);
    if (secret === undefined || secret.deletion !== undefined) return false;
    await store.put(next(secret));
    return true;
  };
  return {
    *list(account, region) {
      for (const { arn, tags, deletion } of store.secretsIn({ account, region })) {
        if (deletion === undefined) yield { arn, tags: new Map(tags) };
      }
    },
    tag: (arn, tags) => change(arn, (secret) => ({ ...secret, tags: withTags(secret.tags, tags) })),
    untag: (arn, keys) => change(arn, (secret) => without(secret, keys)),
  };
}

function without(secret: SecretRecord, keys: readonly string[]): SecretRecord {
  return { ...secret, tags: secret.tags.filter(([key]) => !keys.includes(key)) };
}
