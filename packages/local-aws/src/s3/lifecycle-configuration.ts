import { randomString } from "@gatewright/ports";
import type { LifecycleRule, LifecycleRuleFilter, Operations, Transition } from "@gatewright/aws-wire/types/s3";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import type { Ground } from "./ground.ts";
import { invalidArgument, invalidRequest, malformedXml } from "./refusals.ts";

const MOST_RULES = 1000;
const DAY_MS = 86_400_000;
const ID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const NEEDS_30_DAYS = ["STANDARD_IA", "ONEZONE_IA"];

/** Lifecycle rules. They are kept and told; nothing expires by them here. */
export function lifecycleConfiguration(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    GetBucketLifecycleConfiguration(input, context) {
      const { lifecycle } = bucketFor(ground, input, context);
      if (lifecycle === undefined) {
        throw new AwsError("NoSuchLifecycleConfiguration", "The lifecycle configuration does not exist", {
          status: 404,
          details: { BucketName: input.Bucket },
        });
      }
      return { Rules: lifecycle.rules, TransitionDefaultMinimumObjectSize: lifecycle.minimumSize };
    },
    async PutBucketLifecycleConfiguration(input, context) {
      const bucket = bucketFor(ground, input, context);
      const rules = input.LifecycleConfiguration?.Rules ?? [];
      const minimumSize = input.TransitionDefaultMinimumObjectSize ?? "all_storage_classes_128K";
      checkLifecycle(rules);
      const named = rules.map((rule) =>
        rule.ID === undefined || rule.ID === "" ? { ...rule, ID: randomString(world.random, ID_ALPHABET, 48) } : rule,
      );
      await store.configure(bucket, { lifecycle: { rules: named, minimumSize } });
      return { TransitionDefaultMinimumObjectSize: minimumSize };
    },
    async DeleteBucketLifecycle(input, context) {
      await store.configure(bucketFor(ground, input, context), { lifecycle: undefined });
      return {};
    },
  };
}

/** Refuses what S3 refuses of lifecycle rules. */
export function checkLifecycle(rules: readonly LifecycleRule[]): void {
  if (rules.length === 0 || rules.length > MOST_RULES) throw malformedXml();
  const ids = rules.flatMap(({ ID: id }) => (id === undefined || id === "" ? [] : [id]));
  if (ids.some((id) => id.length > 255)) throw invalidArgument("ID length should not exceed allowed limit of 255");
  if (new Set(ids).size < ids.length) {
    throw invalidArgument("Rule ID must be unique. Found same ID for more than one rule");
  }
  for (const rule of rules) checkRule(rule);
}

function checkRule(rule: LifecycleRule): void {
  if (rule.Status !== "Enabled" && rule.Status !== "Disabled") throw malformedXml();
  if ((rule.Filter === undefined) === (rule.Prefix === undefined)) throw malformedXml();
  if (rule.Filter) checkFilter(rule.Filter);
  const {
    Expiration: expiration,
    NoncurrentVersionExpiration: noncurrent,
    AbortIncompleteMultipartUpload: abort,
  } = rule;
  const transitions = rule.Transitions ?? [];
  const later = rule.NoncurrentVersionTransitions ?? [];
  if (!expiration && !noncurrent && !abort && transitions.length === 0 && later.length === 0) {
    throw invalidRequest("At least one action needs to be specified in a rule");
  }
  if (expiration) {
    const { Days: days, Date: date, ExpiredObjectDeleteMarker: marker } = expiration;
    if ([days, date, marker].filter((one) => one !== undefined).length !== 1) throw malformedXml();
    checkDays(days, "Expiration");
    checkDate(date);
  }
  checkDays(noncurrent?.NoncurrentDays, "NoncurrentVersionExpiration", "NoncurrentDays");
  if (abort) {
    if (abort.DaysAfterInitiation === undefined) throw malformedXml();
    checkDays(abort.DaysAfterInitiation, "AbortIncompleteMultipartUpload", "DaysAfterInitiation");
    if (rule.Filter?.Tag || rule.Filter?.And?.Tags) {
      throw invalidRequest("AbortIncompleteMultipartUpload cannot be specified with Tags.");
    }
  }
  for (const transition of transitions) checkTransition(transition);
}

function checkFilter({ And: and, ...single }: LifecycleRuleFilter): void {
  const parts = Object.values(single).filter((part) => part !== undefined).length + (and ? 1 : 0);
  if (parts > 1) throw malformedXml();
  if (and) {
    const { Tags: tags = [], ...others } = and;
    if (tags.length + Object.values(others).filter((part) => part !== undefined).length < 2) throw malformedXml();
    if (new Set(tags.map(({ Key }) => Key)).size < tags.length) {
      throw invalidRequest("Duplicate Tag Keys are not allowed.");
    }
  }
}

function checkTransition({ Days: days, Date: date, StorageClass: storageClass }: Transition): void {
  if ((days === undefined) === (date === undefined) || storageClass === undefined) throw malformedXml();
  if (days !== undefined && days < 0) throw invalidArgument("'Days' in Transition action must be nonnegative");
  if (days !== undefined && days < 30 && NEEDS_30_DAYS.includes(storageClass)) {
    throw invalidArgument(
      `'Days' in Transition action must be greater than or equal to 30 for storageClass '${storageClass}'`,
    );
  }
  checkDate(date);
}

function checkDays(days: number | undefined, action: string, name = "Days"): void {
  if (days !== undefined && days <= 0)
    throw invalidArgument(`'${name}' for ${action} action must be a positive integer`);
}

function checkDate(date: number | undefined): void {
  if (date !== undefined && date % DAY_MS !== 0) throw invalidArgument("'Date' must be at midnight GMT");
}
