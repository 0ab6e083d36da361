import { array, map, object } from "./collections.ts";
import type { Described } from "./describe.ts";
import { string } from "./scalars.ts";
import type { Schema } from "./schema.ts";

/** Which objects are meant, by their labels: those that meet all of it. An empty one means all objects. */
export type LabelSelectorValue = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: "In" | "NotIn" | "Exists" | "DoesNotExist"; values?: string[] }[];
};

/** {@inheritDoc LabelSelectorValue} */
export function labelSelector(options: Described = {}): Schema<LabelSelectorValue, LabelSelectorValue, "always"> {
  const expression = object({
    key: string({ description: "Label that the requirement is about.", maxLength: 317 }),
    operator: string({
      description: "How the label is compared.",
      enum: ["In", "NotIn", "Exists", "DoesNotExist"],
    }),
    values: array(string({ maxLength: 63 }), {
      description: "Values for In and NotIn.",
      maxItems: 64,
      listType: "atomic",
    }).optional(),
  });
  const fields = {
    matchLabels: map(string({ maxLength: 63 }), {
      description: "Labels that must be there with these values.",
      maxProperties: 64,
    }).optional(),
    matchExpressions: array(expression, {
      description: "Further requirements.",
      maxItems: 64,
      listType: "atomic",
    }).optional(),
  };
  return object(fields, { mapType: "atomic", ...options });
}

/** Metadata for objects that will be made. */
export type EmbeddedMetadata = { labels?: Record<string, string>; annotations?: Record<string, string> };

/** {@inheritDoc EmbeddedMetadata} */
export function embeddedMetadata(options: Described = {}): Schema<EmbeddedMetadata, EmbeddedMetadata, "always"> {
  const fields = {
    labels: map(string({ maxLength: 63 }), { description: "Labels.", maxProperties: 64 }).optional(),
    annotations: map(string(), { description: "Annotations.", maxProperties: 64 }).optional(),
  };
  return object(fields, options);
}
