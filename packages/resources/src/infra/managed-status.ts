import { conditionColumn, ageColumn, s } from "@gatewright/kube/define";
import type { ReadOf } from "@gatewright/kube/define";

const text = (description: string, maxLength = 2048) => s.string({ description, maxLength });

const changed = {
  field: text("The field, as the reference names it.", 253),
  have: text("What AWS has.", 1024).optional(),
  want: text("What the spec says.", 1024).optional(),
} as const;

const change = s.object(changed);

const drifted = s.object({
  ...changed,
  of: text(
    "Names all of what was wanted when it was told, also what is not shown: another wish is written.",
    64,
  ).optional(),
});

/** What every kind that stands for an AWS resource has in its status, besides what it tells of its own. */
export const managedStatus = {
  observedGeneration: s
    .integer({ description: "The generation of the spec that the rest is about.", format: "int64" })
    .optional(),
  ready: s.boolean({ description: "Whether the resource is there and as the spec says." }).optional(),
  lastSyncTime: s
    .time({ description: "When the resource was last changed, or first found as the spec says." })
    .optional(),
  deletionPolicy: text("The policy in force when the object is deleted.", 32).optional(),
  accountID: text("Account that the resource is in.", 12).optional(),
  region: text("Region that the resource is in.", 32).optional(),
  resource: s
    .object(
      {
        id: text("What AWS knows it by: a name or an id. Empty until AWS gave it."),
        ownership: s.string({
          description: "Created: made for this object. Adopted: was there before. Observed: only looked at.",
          enum: ["Created", "Adopted", "Observed"],
        }),
        fields: s
          .array(text("A field.", 253), {
            description:
              "Fields that were declared when the resource was last written: one that leaves the spec is reset.",
            maxItems: 200,
          })
          .optional(),
        versions: s
          .map(text("A version.", 253), {
            description:
              "By field: the version of the Secret that was last written to it, or found to be there; with drift Report also of what references and the provider's default tags say.",
            maxProperties: 20,
          })
          .optional(),
      },
      { description: "The resource itself." },
    )
    .optional(),
  replacements: s
    .integer({ description: "How often the resource was made anew.", format: "int32", minimum: 0 })
    .optional(),
  pending: s
    .object(
      {
        operation: s.string({ description: "What is about to be done.", enum: ["Create", "Adopt", "Replace"] }),
        token: text("Makes doing it twice one resource.", 64),
        since: s.time({ description: "When it was decided." }),
      },
      {
        description:
          "An operation that must not be done twice: written before it is begun, removed when its result is known.",
      },
    )
    .optional(),
  drift: s
    .array(drifted, {
      description: "Fields that differ in AWS and are not repaired.",
      maxItems: 200,
      listType: "atomic",
    })
    .optional(),
  plan: s
    .object(
      {
        hash: text(
          "Approve this very plan by the annotation aws-infra-operator.runner.codes/approve with this value.",
          64,
        ),
        action: s.string({ description: "What waits for approval.", enum: ["Replace", "Recreate"] }),
        changes: s.array(change, { description: "What would differ.", maxItems: 200, listType: "atomic" }),
      },
      { description: "A change that destroys something and so waits for a person's word." },
    )
    .optional(),
  reconciledNow: text(
    "The last value of the annotation aws-infra-operator.runner.codes/reconcile-now that was answered.",
  ).optional(),
  conditions: s.conditions(),
} as const;

const managed = s.object(managedStatus);

/** {@inheritDoc managedStatus} */
export type ManagedStatus = ReadOf<typeof managed>;

/** The columns after those of a kind's own. */
export const managedColumns = [
  conditionColumn("Ready"),
  {
    name: "Reason",
    type: "string",
    path: '.status.conditions[?(@.type=="Ready")].reason',
    description: "Why it is ready, or not.",
  },
  { name: "Account", type: "string", path: ".status.accountID", priority: 1 },
  { name: "Deletion", type: "string", path: ".status.deletionPolicy", priority: 1 },
  ageColumn,
] as const;
