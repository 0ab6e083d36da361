import type { s3 } from "@gatewright/aws";
import type { Json, JsonObject } from "@gatewright/kube";
import type { SectionOf } from "../bucket-spec.ts";
import { byId, compact } from "./compact.ts";
import { filterOf, scopeOf } from "./rule-filter.ts";

type Rule = SectionOf<"lifecycleRules">[number];

/** Rules as S3 takes them. Those without an id are named by their place, so that they can be found again. */
export function lifecycleToAws(rules: readonly Rule[]): readonly s3.LifecycleRule[] {
  return rules.map((rule, index) => ({
    ID: rule.id ?? `rule-${index + 1}`,
    Status: rule.enabled ? "Enabled" : "Disabled",
    Filter: filterOf(rule),
    ...(rule.expiration && {
      Expiration: {
        Days: rule.expiration.days,
        Date: momentOf(rule.expiration.date),
        ExpiredObjectDeleteMarker: rule.expiration.expiredObjectDeleteMarker,
      },
    }),
    ...(rule.transitions && {
      Transitions: rule.transitions.map(({ days, date, storageClass }) => ({
        Days: days,
        Date: momentOf(date),
        StorageClass: storageClass,
      })),
    }),
    ...(rule.noncurrentVersionExpiration && {
      NoncurrentVersionExpiration: {
        NoncurrentDays: rule.noncurrentVersionExpiration.noncurrentDays,
        NewerNoncurrentVersions: rule.noncurrentVersionExpiration.newerNoncurrentVersions,
      },
    }),
    ...(rule.noncurrentVersionTransitions && {
      NoncurrentVersionTransitions: rule.noncurrentVersionTransitions.map((transition) => ({
        NoncurrentDays: transition.noncurrentDays,
        NewerNoncurrentVersions: transition.newerNoncurrentVersions,
        StorageClass: transition.storageClass,
      })),
    }),
    ...(rule.abortIncompleteMultipartUpload && {
      AbortIncompleteMultipartUpload: {
        DaysAfterInitiation: rule.abortIncompleteMultipartUpload.daysAfterInitiation,
      },
    }),
  }));
}

/** Rules as specs say them, in one order: S3 gives them back in its own. */
export function lifecycleToSpec(rules: readonly s3.LifecycleRule[]): Json {
  return byId(
    rules.map((rule) =>
      compact({
        id: rule.ID,
        enabled: rule.Status === "Enabled",
        ...scopeOf(rule.Filter, rule.Prefix),
        expiration: compact({
          days: rule.Expiration?.Days,
          date: dayOf(rule.Expiration?.Date),
          expiredObjectDeleteMarker: rule.Expiration?.ExpiredObjectDeleteMarker === true ? true : undefined,
        }),
        transitions: inOrder(
          rule.Transitions?.map(({ Days, Date: date, StorageClass }) =>
            compact({ days: Days, date: dayOf(date), storageClass: StorageClass }),
          ),
        ),
        noncurrentVersionExpiration: compact({
          noncurrentDays: rule.NoncurrentVersionExpiration?.NoncurrentDays,
          newerNoncurrentVersions: rule.NoncurrentVersionExpiration?.NewerNoncurrentVersions,
        }),
        noncurrentVersionTransitions: inOrder(
          rule.NoncurrentVersionTransitions?.map((transition) =>
            compact({
              noncurrentDays: transition.NoncurrentDays,
              newerNoncurrentVersions: transition.NewerNoncurrentVersions,
              storageClass: transition.StorageClass,
            }),
          ),
        ),
        abortIncompleteMultipartUpload: compact({
          daysAfterInitiation: rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation,
        }),
      }),
    ),
  );
}

function inOrder(transitions: readonly JsonObject[] = []): JsonObject[] {
  return transitions.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

function momentOf(date: string | undefined): number | undefined {
  return date === undefined ? undefined : Date.parse(date);
}

function dayOf(moment: number | undefined): string | undefined {
  return moment === undefined ? undefined : new Date(moment).toISOString().slice(0, 10);
}
