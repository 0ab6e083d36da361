import { s } from "@gatewright/kube/define";
import { count, duration, enabled, flag, text, texts } from "./plain-fields.ts";
import { cacheRedis, redisBlock, sentinel } from "./redis.ts";

const STORE = s.string({ description: "Where answers are kept.", enum: ["memory", "redis"], default: "memory" });

/** Keeps answers of a route. */
export const routeCache = s
  .object(
    {
      enabled: enabled("Whether answers are kept."),
      type: STORE,
      ttl: duration("For how long."),
      maxEntries: count("How many.", 1),
      honorCacheControl: flag("Whether Cache-Control of the answer counts."),
      staleWhileRevalidate: duration("For how long an old answer serves while a new one is fetched."),
      negativeCacheTTL: duration("For how long errors are kept. Default: not at all."),
      keyConfig: s
        .object(
          {
            includeMethod: flag("Methods apart."),
            includePath: flag("Paths apart. Default: true."),
            includeHeaders: texts("Values of these headers apart."),
            includeQueryParams: texts("Values of these query parameters apart. Default: the whole query."),
            includeBodyHash: flag("Bodies apart."),
            keyTemplate: text("The key as a template, in place of the others."),
          },
          { description: "Which requests have different answers." },
        )
        .optional(),
      keyComponents: texts("An old form of keyConfig: method, path, query, header:name."),
      redis: cacheRedis,
    },
    { description: "Keeps answers and gives them again.", rules: redisBlock("type") },
  )
  .optional();

/** A cache of a backend's answers: known to the manifests of old, and never in use. */
export const backendCache = s
  .object(
    {
      enabled: enabled("Whether answers are kept."),
      type: STORE,
      ttl: duration("For how long."),
      staleWhileRevalidate: duration("For how long an old answer serves while a new one is fetched."),
      keyComponents: texts("Which requests have different answers: method, path, query, header:name."),
      hashKeys: flag("Store hashes in place of keys."),
      ttlJitter: s.number({ description: "By which part lifetimes vary.", minimum: 0, maximum: 1 }).optional(),
      sentinel,
      passwordVaultPath: text("Where the password of the Redis is in Vault."),
    },
    {
      description: "Keeps the backend's answers.",
      rules: [
        {
          rule: "!self.enabled || self.type == 'redis' || !(has(self.sentinel) || has(self.passwordVaultPath))",
          message: "sentinel and passwordVaultPath are for type redis: set type, or leave them out",
        },
      ],
    },
  )
  .optional();
