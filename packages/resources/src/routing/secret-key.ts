import { s } from "@gatewright/kube/define";
import { requiredText, text } from "./plain-fields.ts";

/** One key of a Secret in the same namespace. The operator reads it; gateways never see the reference. */
export const secretKey = (description: string) =>
  s
    .object({ name: requiredText("Name of the Secret."), key: requiredText("Key in its data.") }, { description })
    .optional();

/** One key of a ConfigMap in the same namespace. The operator reads it; gateways never see the reference. */
export const configMapKey = (description: string) =>
  s
    .object(
      { name: requiredText("Name of the ConfigMap."), key: text("Key in its data. Default: the only one.") },
      { description },
    )
    .optional();
