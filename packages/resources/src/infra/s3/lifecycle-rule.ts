import { atMostOneOf, atLeastOneOf, exactlyOneOf, s } from "@gatewright/kube/define";
import { days, storageClass } from "./storage-class.ts";

const date = (description: string) => s.string({ description, format: "date", maxLength: 10 });
const size = (description: string) =>
  s.integer({ description, format: "int64", minimum: 0, maximum: 1_099_511_627_776 });
const newer = s
  .integer({
    description: "How many newer noncurrent versions are kept besides.",
    format: "int32",
    minimum: 1,
    maximum: 100,
  })
  .optional();

const expiration = s
  .object(
    {
      days: days("So many days after they were made.").optional(),
      date: date("On this day, such as 2030-01-31.").optional(),
      expiredObjectDeleteMarker: s
        .boolean({ description: "Delete markers that stand for nothing any more go." })
        .optional(),
    },
    { description: "When objects expire.", rules: [exactlyOneOf("days", "date", "expiredObjectDeleteMarker")] },
  )
  .optional();

const transitions = s
  .array(
    s.object(
      {
        days: days("So many days after they were made.", 0).optional(),
        date: date("On this day, such as 2030-01-31.").optional(),
        storageClass: storageClass("Where they go."),
      },
      {
        rules: [
          exactlyOneOf("days", "date"),
          {
            rule: "!has(self.days) || self.days >= 30 || !(self.storageClass in ['STANDARD_IA', 'ONEZONE_IA'])",
            message: "objects go to STANDARD_IA or ONEZONE_IA after 30 days at the earliest",
          },
        ],
      },
    ),
    { description: "When objects move to other storage classes.", maxItems: 6 },
  )
  .optional();

const noncurrentVersionExpiration = s
  .object(
    {
      noncurrentDays: days("So many days after a newer version came."),
      newerNoncurrentVersions: newer,
    },
    { description: "When versions go that are not current any more." },
  )
  .optional();

const noncurrentVersionTransitions = s
  .array(
    s.object({
      noncurrentDays: days("So many days after a newer version came.", 0),
      newerNoncurrentVersions: newer,
      storageClass: storageClass("Where they go."),
    }),
    { description: "When versions that are not current any more move to other storage classes.", maxItems: 6 },
  )
  .optional();

const abortIncompleteMultipartUpload = s
  .object(
    { daysAfterInitiation: days("So many days after they began.") },
    { description: "When uploads in parts that were never finished are given up." },
  )
  .optional();

/** Which objects of a bucket move or go, and when. */
export const lifecycleRule = s.object(
  {
    id: s
      .string({
        description: "Name of the rule, unique in the bucket. Default: by its place in the list.",
        minLength: 1,
        maxLength: 255,
      })
      .optional(),
    enabled: s.boolean({ description: "Whether it is in force.", default: true }),
    prefix: s.string({ description: "Only objects whose keys begin so.", maxLength: 1024 }).optional(),
    tags: s
      .map(s.string({ maxLength: 256 }), {
        description: "Only objects that have all of these tags.",
        maxProperties: 10,
      })
      .optional(),
    objectSizeGreaterThan: size("Only objects larger than this, in bytes.").optional(),
    objectSizeLessThan: size("Only objects smaller than this, in bytes.").optional(),
    expiration,
    transitions,
    noncurrentVersionExpiration,
    noncurrentVersionTransitions,
    abortIncompleteMultipartUpload,
  },
  {
    rules: [
      atLeastOneOf(
        "expiration",
        "transitions",
        "noncurrentVersionExpiration",
        "noncurrentVersionTransitions",
        "abortIncompleteMultipartUpload",
      ),
      {
        ...atMostOneOf("tags", "abortIncompleteMultipartUpload"),
        message: "unfinished uploads have no tags yet: a rule with tags cannot abort them",
      },
      {
        rule: "!has(self.abortIncompleteMultipartUpload) || !(has(self.objectSizeGreaterThan) || has(self.objectSizeLessThan))",
        message: "unfinished uploads have no size yet: a rule with object sizes cannot abort them",
      },
      {
        rule: "!has(self.expiration) || !has(self.expiration.expiredObjectDeleteMarker) || !(has(self.tags) || has(self.objectSizeGreaterThan) || has(self.objectSizeLessThan))",
        message: "delete markers have neither tags nor sizes: a rule for them has a prefix at most",
      },
      {
        rule: "!has(self.objectSizeGreaterThan) || !has(self.objectSizeLessThan) || self.objectSizeGreaterThan < self.objectSizeLessThan",
        message: "objectSizeGreaterThan must be less than objectSizeLessThan",
      },
    ],
  },
);
