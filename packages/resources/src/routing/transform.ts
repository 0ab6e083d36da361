import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { headerChanges } from "./header-changes.ts";
import { filled, flag, requiredText, text, textMap, texts } from "./plain-fields.ts";

const ALLOW_OR_DENY: Rule = {
  rule: `!(${filled("self.allowFields")} && ${filled("self.denyFields")})`,
  message: "set allowFields or denyFields, not both",
};

const selected = {
  allowFields: texts("Fields that stay; others are dropped."),
  denyFields: texts("Fields that are dropped."),
  fieldMappings: textMap("Fields by their old name, with the new one."),
};

const request = s
  .object(
    {
      template: text("The body as a template."),
      passthroughBody: flag("Leave the body as it is."),
      staticHeaders: textMap("Headers with fixed values."),
      dynamicHeaders: s
        .array(
          s.object({
            name: requiredText("Name of the header."),
            source: requiredText("Where its value is: jwt.claim.sub, context.request_id."),
          }),
          { description: "Headers with values from the request." },
        )
        .optional(),
      injectFields: s
        .array(
          s.object({
            field: requiredText("Field of the body: user.id."),
            value: s.any({ description: "Its value." }).optional(),
            source: text("Where its value is, in place of value."),
          }),
          { description: "Fields that are set." },
        )
        .optional(),
      removeFields: texts("Fields that are dropped."),
      defaultValues: s.map(s.any(), { description: "Values of fields that are not there." }).optional(),
      validateBeforeTransform: flag("Refuse bodies that are not JSON."),
    },
    { description: "Changes of requests." },
  )
  .optional();

const arrayOperation = s.object(
  {
    field: requiredText("The list: items, data.orders."),
    operation: s.string({
      description: "What is done to it.",
      enum: ["append", "prepend", "filter", "sort", "limit", "deduplicate"],
    }),
    value: s
      .any({ description: "What is appended or prepended, the field to sort or compare by, or how many stay." })
      .optional(),
    condition: text("Which items stay, with filter: a CEL expression over item."),
  },
  {
    rules: [
      {
        rule: "self.operation != 'filter' || (has(self.condition) && self.condition != '')",
        message: "filter needs condition: which items stay",
      },
    ],
  },
);

const response = s
  .object(
    {
      template: text("The body as a template."),
      ...selected,
      flattenFields: texts("Objects whose fields move up."),
      groupFields: s
        .array(
          s.object({
            name: requiredText("Name of the new object."),
            fields: s.array(s.string(), { description: "Fields that move into it.", minItems: 1 }),
          }),
          { description: "Fields that move into an object." },
        )
        .optional(),
      arrayOperations: s
        .array(arrayOperation, { description: "Changes of lists, in this order.", maxItems: 256 })
        .optional(),
      mergeStrategy: s
        .string({ description: "How answers of many become one.", enum: ["deep", "shallow", "replace", "ndjson"] })
        .optional(),
    },
    { description: "Changes of answers.", rules: [ALLOW_OR_DENY] },
  )
  .optional();

/** Changes of JSON bodies. */
export const transform = s.object({ request, response }, { description: "Changes of JSON bodies." }).optional();

/** Changes on the way to and from one backend. */
export const backendTransform = s
  .object(
    {
      request: s
        .object(
          { headers: headerChanges("Headers of requests."), template: text("The body as a template.") },
          { description: "Changes of requests." },
        )
        .optional(),
      response: s
        .object(
          { headers: headerChanges("Headers of answers."), ...selected },
          { description: "Changes of answers.", rules: [ALLOW_OR_DENY] },
        )
        .optional(),
    },
    { description: "Changes on the way to and from the backend." },
  )
  .optional();
