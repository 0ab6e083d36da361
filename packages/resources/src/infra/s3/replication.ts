import { needs, s } from "@gatewright/kube/define";
import { storageClass } from "./storage-class.ts";

const flag = (description: string) => s.boolean({ description }).optional();

const destination = s.object(
  {
    bucketARN: s.string({
      description: "ARN of the bucket, which must keep versions.",
      maxLength: 256,
      pattern: "^arn:[a-z-]+:s3:::",
    }),
    accountID: s
      .string({ description: "Account of the bucket, when it is another.", pattern: "^[0-9]{12}$", maxLength: 12 })
      .optional(),
    ownedByDestination: flag("Whether copies belong to the account of the bucket. Needs accountID."),
    storageClass: storageClass("Storage class of the copies. AWS: that of the objects.").optional(),
    kmsKeyID: s
      .string({ description: "ARN of the KMS key that copies are encrypted with.", minLength: 1, maxLength: 2048 })
      .optional(),
    replicationTimeControl: flag("Whether copies are there within 15 minutes, which costs more and is measured."),
  },
  { description: "Where copies go.", rules: [needs("ownedByDestination", "accountID")] },
);

const rule = s.object(
  {
    id: s
      .string({
        description: "Name of the rule, unique in the bucket. Default: by its place in the list.",
        minLength: 1,
        maxLength: 255,
      })
      .optional(),
    priority: s
      .integer({
        description: "Of rules that fit the same object the highest wins. Default: the first in the list.",
        format: "int32",
        minimum: 0,
        maximum: 2_147_483_647,
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
    deleteMarkers: flag("Whether deletions are copied too. Not together with tags."),
    replicaModifications: flag("Whether changes to the metadata of copies come back."),
    kmsEncryptedObjects: flag("Whether objects that a KMS key encrypts are copied. Needs destination.kmsKeyID."),
    destination,
  },
  {
    rules: [
      {
        rule: "!has(self.tags) || !has(self.deleteMarkers) || !self.deleteMarkers",
        message: "deleteMarkers cannot be copied by a rule with tags",
      },
      {
        rule: "(has(self.kmsEncryptedObjects) && self.kmsEncryptedObjects) == has(self.destination.kmsKeyID)",
        message: "kmsEncryptedObjects and destination.kmsKeyID go together",
      },
    ],
  },
);

/** Which objects are copied to other buckets. */
export const replication = s
  .object(
    {
      role: s.string({
        description: "ARN of the role that copies.",
        maxLength: 2048,
        pattern: "^arn:[a-z-]+:iam::[0-9]{12}:role/",
      }),
      rules: s.array(rule, { description: "Which objects go where.", minItems: 1, maxItems: 100 }),
    },
    { description: "Copies of objects in other buckets. Needs versioning." },
  )
  .optional();
