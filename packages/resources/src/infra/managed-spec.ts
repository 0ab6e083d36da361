import { s } from "@gatewright/kube/define";
import type { ReadOf } from "@gatewright/kube/define";
import { SUBDOMAIN } from "../gateway-api/name-fields.ts";

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

/** The name of an object. Others would lead elsewhere in a path of the API, and nothing is called so. */
export const objectName = (description: string) =>
  s.string({ description, minLength: 1, maxLength: 253, pattern: `^${SUBDOMAIN}$` });
/** The name of a namespace. */
export const namespaceName = (description: string) =>
  s.string({ description, minLength: 1, maxLength: 63, pattern: `^${LABEL}$` });
/** The name of a namespace, or `*` for all of them. */
export const namespaceOrAll = s.string({ maxLength: 63, pattern: String.raw`^(\*|${LABEL})$` });

const providerRef = s.object(
  {
    name: objectName("Name of the AWSProvider."),
    namespace: namespaceName("Its namespace, which must let this one in. Default: the object's own.").optional(),
  },
  { description: "The AWSProvider whose account and region the resource is in." },
);

const tags = s
  .map(s.string({ description: "Value of the tag.", maxLength: 256 }), {
    description:
      "Tags of the resource, besides those of the provider and of the operator. Tags of others are left alone.",
    maxProperties: 40,
    rules: [
      {
        rule: "self.all(key, key.size() >= 1 && key.size() <= 128 && !key.lowerAscii().startsWith('aws:'))",
        message: "a tag's key has 1 to 128 characters and does not begin with aws:",
      },
    ],
  })
  .optional();

const adopt = s
  .object(
    {
      byName: s.boolean({ description: "Take over a resource of this name that is there already." }).optional(),
      byTags: s
        .map(s.string({ maxLength: 256 }), {
          description: "Take over the one resource that has all of these tags.",
          minProperties: 1,
          maxProperties: 10,
        })
        .optional(),
    },
    { description: "Consent to take over what exists. Without it nothing that exists is touched." },
  )
  .optional();

const drift = s
  .object(
    {
      mode: s.string({
        description: "What happens to changes that others make in AWS: they are undone, or told in the status.",
        enum: ["Repair", "Report"],
        default: "Repair",
      }),
      interval: s
        .duration({
          description: "How often the resource is compared, at least 30s. Default: by kind, in docs/aws-resources.md.",
        })
        .optional(),
      ignoreFields: s
        .array(s.string({ maxLength: 253 }), {
          description: "Fields that others may change after creation, as the reference names them.",
          maxItems: 50,
          listType: "set",
        })
        .optional(),
    },
    { description: "How differences between spec and AWS are treated." },
  )
  .optional();

const management = s
  .object(
    {
      mode: s.string({
        description: "Manage: made, changed and deleted as the spec says. Observe: only looked at.",
        enum: ["Manage", "Observe"],
        default: "Manage",
      }),
      adopt,
      drift,
      paused: s.boolean({ description: "Nothing is read or changed while it is true. Deletion waits too." }).optional(),
    },
    { description: "How far the operator goes." },
  )
  .optional();

const writeOutputsTo = s
  .object(
    {
      kind: s.string({ description: "What is written.", enum: ["Secret", "ConfigMap"], default: "Secret" }),
      name: objectName("Its name, in the object's namespace. It must not exist, or be one that this object wrote."),
      data: s
        .map(s.string({ description: "Text in which ${output} stands for a value.", maxLength: 4096 }), {
          description:
            "Keys and texts, such as URL: postgres://${endpoint}:${port}. Default: every output under its own name.",
          minProperties: 1,
          maxProperties: 50,
        })
        .optional(),
    },
    { description: "Where outputs go, for those who use the resource." },
  )
  .optional();

/** What every kind that stands for an AWS resource has in its spec, besides its own fields and `deletionPolicy`. */
export const managedSpec = { providerRef, tags, management, writeOutputsTo } as const;

const managed = s.object(managedSpec);

/** {@inheritDoc managedSpec} */
export type ManagedSpec = ReadOf<typeof managed> & { readonly deletionPolicy: string };

/** The `deletionPolicy` of a kind. */
export function deletionPolicy<const P extends string>(policies: readonly P[], otherwise: P, more = "") {
  return s.string({
    description: `What becomes of the resource when the object is deleted. Retain: it stays as it is. Orphan: it stays, without the operator's tags.${more}`,
    enum: policies,
    default: otherwise,
  });
}
