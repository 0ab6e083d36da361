import { atMostOneOf, exactlyOneOf, s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";

/** Keys of config become keys of a ConfigMap, which are names of files. */
export const configKeysAreFileNames: Rule = {
  rule: "self.all(key, size(key) <= 253 && key.matches('^[-._a-zA-Z0-9]+$') && key != '.' && !key.startsWith('..'))",
  message: "keys are letters, digits, '-', '_' and '.', 253 at most, and are not '.' or begin with '..'",
};

const name = (description: string) => s.string({ description, minLength: 1, maxLength: 253 });
const optional = s.boolean({ description: "Whether it may be missing." }).optional();

const keyOf = (kind: string) =>
  s
    .object(
      {
        name: name(`Name of the ${kind}.`),
        key: s.string({ description: "Key in its data.", minLength: 1, maxLength: 253, pattern: "^[-._a-zA-Z0-9]+$" }),
        optional,
      },
      { description: `One key of a ${kind} in the same namespace.`, mapType: "atomic" },
    )
    .optional();

const allOf = (kind: string) =>
  s
    .object(
      { name: name(`Name of the ${kind}.`), optional },
      { description: `Every key of a ${kind} in the same namespace.`, mapType: "atomic" },
    )
    .optional();

const valueFrom = s.object(
  {
    secretKeyRef: keyOf("Secret"),
    configMapKeyRef: keyOf("ConfigMap"),
    fieldRef: s
      .object(
        { fieldPath: s.string({ description: "`metadata.name`, `status.podIP`.", minLength: 1, maxLength: 317 }) },
        { description: "A field of the pod itself.", mapType: "atomic" },
      )
      .optional(),
  },
  {
    description: "Where the value comes from.",
    rules: [exactlyOneOf("secretKeyRef", "configMapKeyRef", "fieldRef")],
  },
);

/** Environment variables of the container beside config. Same names as in a pod; later ones win: config, envFrom, env. */
export const environment = {
  env: s
    .array(
      s.object(
        {
          name: s.string({ description: "Name of the variable.", minLength: 1, maxLength: 253, pattern: "^[^=]+$" }),
          value: s.string({ description: "Its value.", maxLength: 262_144 }).optional(),
          valueFrom: valueFrom.optional(),
        },
        { rules: [atMostOneOf("value", "valueFrom")] },
      ),
      { description: "Environment variables.", maxItems: 256, listType: "map", listMapKeys: ["name"] },
    )
    .optional(),
  envFrom: s
    .array(
      s.object(
        {
          prefix: s.string({ description: "Put before each name.", maxLength: 253 }).optional(),
          secretRef: allOf("Secret"),
          configMapRef: allOf("ConfigMap"),
        },
        { rules: [exactlyOneOf("secretRef", "configMapRef")] },
      ),
      { description: "Secrets and ConfigMaps whose keys become environment variables.", maxItems: 64 },
    )
    .optional(),
} as const;
