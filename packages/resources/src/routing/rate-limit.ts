import { exactlyOneOf, s } from "@gatewright/kube/define";
import { enabled, requiredText } from "./plain-fields.ts";
import { rateLimitRedis, redisBlock } from "./redis.ts";

/** How many requests are let through. */
export const rateLimit = s
  .object(
    {
      enabled: enabled("Whether requests are limited."),
      requestsPerSecond: s.integer({ description: "Requests per second in the long run.", minimum: 1 }),
      burst: s.integer({ description: "Requests that may come at once.", minimum: 1 }),
      perClient: s.boolean({ description: "Count each client address by itself." }).optional(),
      key: s
        .object(
          {
            header: requiredText("Count each value of this header by itself.").optional(),
            query: requiredText("Count each value of this query parameter by itself.").optional(),
            claim: requiredText("Count each value of this claim of the caller's token by itself.").optional(),
          },
          {
            description:
              "What requests are told apart by. Requests without it share one limit, or have one for each client with perClient. Not known to gateways of AVAPIGW.",
            rules: [exactlyOneOf("header", "query", "claim")],
          },
        )
        .optional(),
      store: s.string({ description: "Where is counted.", enum: ["memory", "redis"], default: "memory" }),
      redis: rateLimitRedis,
    },
    {
      description: "Limits how many requests are let through; others are answered with 429.",
      rules: redisBlock("store"),
    },
  )
  .optional();
