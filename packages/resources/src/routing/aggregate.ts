import { s } from "@gatewright/kube/define";
import { backendAuthentication } from "./backend-authentication.ts";
import { backendTls } from "./backend-tls.ts";
import { destination } from "./destinations.ts";
import { count, duration, enabled, flag, text } from "./plain-fields.ts";
import { sentinel } from "./redis.ts";

const target = s.object({
  name: s.string({ description: "Name of the target, unique here.", minLength: 1, maxLength: 253 }),
  destination,
  timeout: duration("How long its answer may take. Default, and 0s: 30s."),
  retries: s.integer({ description: "How often it is asked again.", minimum: 0, maximum: 10 }).optional(),
  tls: backendTls,
  authentication: backendAuthentication,
});

const merge = s
  .object(
    {
      enabled: enabled("Whether answers become one."),
      strategy: s.string({
        description:
          "deep: objects into each other. shallow: top fields. replace: the last wins. ndjson: one line each.",
        enum: ["deep", "shallow", "replace", "ndjson"],
        default: "deep",
      }),
      keyField: text("Items of lists with the same value here are one."),
      timeField: text("Items are ordered by this field."),
      limit: count("Items at most. 0: all.", 0),
    },
    { description: "Makes one answer of many." },
  )
  .optional();

const spool = s
  .object(
    {
      enabled: enabled("Whether large answers are put aside."),
      backend: s.string({ description: "Where.", enum: ["memory", "redis"], default: "memory" }),
      thresholdBytes: s.integer({ description: "From this size on.", format: "int64", minimum: 0 }).optional(),
      ttl: duration("For how long."),
      redisRef: s
        .object(
          {
            address: text("Address: host:port."),
            db: s.integer({ description: "Number of the database.", minimum: 0, maximum: 15 }).optional(),
            password: text("Password. Prefer passwordVaultPath."),
            passwordVaultPath: text("Where the password is in Vault."),
            sentinel,
          },
          { description: "The Redis." },
        )
        .optional(),
    },
    {
      description: "Puts large answers aside while the others come in.",
      rules: [
        {
          rule: "!self.enabled || self.backend != 'redis' || (has(self.redisRef) && (has(self.redisRef.address) && self.redisRef.address != '') != has(self.redisRef.sentinel))",
          message: "backend redis needs redisRef with address or sentinel, not both",
        },
      ],
    },
  )
  .optional();

/** Asks many and makes one answer of theirs. */
export const aggregate = s
  .object(
    {
      enabled: enabled("Whether many are asked."),
      targets: s.array(target, { description: "Who is asked.", minItems: 1, maxItems: 64 }),
      maxParallel: s.integer({ description: "How many at the same time.", minimum: 1, maximum: 1024, default: 8 }),
      failMode: s.string({
        description: "Whose answers are needed: of all, of any one, or of quorumCount.",
        enum: ["all", "any", "quorum"],
        default: "all",
      }),
      quorumCount: count("How many answers are needed, with failMode quorum. Default: more than half.", 0),
      merge,
      perMessageMerge: flag("Merge message by message."),
      spool,
    },
    {
      description: "Asks many and makes one answer of theirs.",
      rules: [
        {
          rule: "!self.enabled || self.targets.all(t, self.targets.exists_one(u, u.name == t.name))",
          message: "each target has a name of its own",
          fieldPath: ".targets",
        },
        {
          rule: "!self.enabled || self.failMode != 'quorum' || !has(self.quorumCount) || self.quorumCount <= size(self.targets)",
          message: "quorumCount is at most the number of targets",
        },
      ],
    },
  )
  .optional();
