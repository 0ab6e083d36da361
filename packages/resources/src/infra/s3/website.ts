import { atLeastOneOf, atMostOneOf, s } from "@gatewright/kube/define";

const text = (description: string, maxLength = 1024) => s.string({ description, minLength: 1, maxLength });
const protocol = s
  .string({ description: "Protocol of where it leads. Default: that of the request.", enum: ["http", "https"] })
  .optional();

const routingRule = s.object({
  condition: s
    .object(
      {
        httpErrorCodeReturnedEquals: text("The error that would be answered, such as 404.", 3).optional(),
        keyPrefixEquals: text("What the key begins with.").optional(),
      },
      {
        description: "When it applies. Default: always.",
        rules: [atLeastOneOf("httpErrorCodeReturnedEquals", "keyPrefixEquals")],
      },
    )
    .optional(),
  redirect: s.object(
    {
      hostName: text("Host that it leads to. Default: that of the request.", 253).optional(),
      httpRedirectCode: s
        .string({ description: "Status of the answer. AWS: 301.", pattern: "^30[1-578]$", maxLength: 3 })
        .optional(),
      protocol,
      replaceKeyPrefixWith: s
        .string({ description: "What stands for the prefix of the condition.", maxLength: 1024 })
        .optional(),
      replaceKeyWith: s.string({ description: "What stands for the whole key.", maxLength: 1024 }).optional(),
    },
    {
      description: "Where it leads.",
      minProperties: 1,
      rules: [atMostOneOf("replaceKeyPrefixWith", "replaceKeyWith")],
    },
  ),
});

/** A bucket as a web site. */
export const website = s
  .object(
    {
      indexDocument: s
        .string({
          description: "What is served for folders, such as index.html.",
          minLength: 1,
          maxLength: 1024,
          pattern: "^[^/]+$",
        })
        .optional(),
      errorDocument: text("Key of what is served for errors.").optional(),
      redirectAllRequestsTo: s
        .object({ hostName: text("Host.", 253), protocol }, { description: "Where everything leads." })
        .optional(),
      routingRules: s
        .array(routingRule, { description: "Redirects for some keys or errors.", minItems: 1, maxItems: 50 })
        .optional(),
    },
    {
      description: "Serves the bucket as a web site, over HTTP alone.",
      rules: [
        {
          rule: "has(self.redirectAllRequestsTo) ? !(has(self.indexDocument) || has(self.errorDocument) || has(self.routingRules)) : has(self.indexDocument)",
          message: "a site has an indexDocument, or redirectAllRequestsTo and nothing else",
        },
      ],
    },
  )
  .optional();
