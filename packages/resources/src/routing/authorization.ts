import { s } from "@gatewright/kube/define";
import { count, duration, enabled, flag, requiredText, text, textMap, texts } from "./plain-fields.ts";
import { cacheRedis, sentinel } from "./redis.ts";

const policy = {
  name: requiredText("Name of the policy, for logs."),
  effect: s.string({ description: "What follows when it applies.", enum: ["allow", "deny"], default: "allow" }),
  priority: count("Policies with a higher one are asked first. Default: 0.", 0),
  resources: texts("Paths it is about: /orders, /orders/*. Default: all."),
  actions: texts("Methods it is about: GET, or * for all. Default: all."),
};

const rbac = s
  .object(
    {
      enabled: enabled("Whether roles decide."),
      policies: s
        .array(s.object({ ...policy, roles: texts("Roles of callers it is about: one of these.") }), {
          description: "Who may do what.",
        })
        .optional(),
      roleHierarchy: s.map(s.array(s.string()), { description: "Roles, each with those that it includes." }).optional(),
    },
    { description: "Decides by the caller's roles." },
  )
  .optional();

const abac = s
  .object(
    {
      enabled: enabled("Whether expressions decide."),
      policies: s
        .array(
          s.object({
            ...policy,
            expression: requiredText(
              "CEL over subject, request, resource, action, environment and now: true when the policy applies.",
            ),
          }),
          { description: "Who may do what." },
        )
        .optional(),
    },
    { description: "Decides by expressions." },
  )
  .optional();

const external = s
  .object(
    {
      enabled: enabled("Whether an Open Policy Agent decides."),
      opa: s
        .object(
          {
            url: requiredText("Address of the decision: http://opa:8181/v1/data/gateway/allow."),
            policy: text("Path of the policy below the address."),
            headers: textMap("Headers of the question."),
          },
          { description: "The Open Policy Agent." },
        )
        .optional(),
      timeout: duration("How long an answer may take."),
      failOpen: flag("Let requests pass while there is no answer."),
    },
    {
      description: "Asks an Open Policy Agent.",
      rules: [{ rule: "!self.enabled || has(self.opa)", message: "write opa.url: whom to ask" }],
    },
  )
  .optional();

const cache = s
  .object(
    {
      enabled: enabled("Whether decisions are remembered."),
      ttl: duration("For how long."),
      maxSize: count("How many.", 1),
      type: s.string({ description: "Where.", enum: ["memory", "redis"], default: "memory" }),
      redis: cacheRedis,
      sentinel,
    },
    {
      description: "Remembers decisions. sentinel is an old place for redis.sentinel.",
      rules: [
        {
          rule: "!self.enabled || self.type == 'redis' || !(has(self.redis) || has(self.sentinel))",
          message: "the redis block is for type redis: set type, or leave the block out",
        },
        {
          rule: "!self.enabled || !(has(self.redis) && has(self.sentinel))",
          message: "write redis.sentinel in place of sentinel",
        },
      ],
    },
  )
  .optional();

const WAYS = ["rbac", "abac", "external"];

/** What callers may do. */
export const authorization = s
  .object(
    {
      enabled: enabled("Whether callers need permission."),
      defaultPolicy: s.string({
        description: "What happens when no policy applies.",
        enum: ["allow", "deny"],
        default: "deny",
      }),
      skipPaths: texts("Paths that need no permission."),
      rbac,
      abac,
      external,
      cache,
    },
    {
      description: "What callers may do.",
      rules: [
        {
          rule: `!self.enabled || ${WAYS.map((way) => `(has(self.${way}) && self.${way}.enabled)`).join(" || ")}`,
          message: `enable one of ${WAYS.join(", ")}`,
        },
      ],
    },
  )
  .optional();
