import { s } from "@gatewright/kube/define";

/** Classes that objects move to. */
export const storageClass = (description: string) =>
  s.string({
    description,
    enum: ["GLACIER", "GLACIER_IR", "DEEP_ARCHIVE", "INTELLIGENT_TIERING", "STANDARD_IA", "ONEZONE_IA"],
  });

/** A count of days. */
export const days = (description: string, minimum = 1) =>
  s.integer({ description, format: "int32", minimum, maximum: 36_500 });
