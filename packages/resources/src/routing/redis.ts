import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { TLS_VERSION_ORDER, tlsVersion } from "./tls-versions.ts";
import { count, duration, enabled, flag, requiredText, text } from "./plain-fields.ts";

/** A Redis that is found through its sentinels. */
export const sentinel = s
  .object(
    {
      masterName: requiredText("Name of the master that the sentinels watch."),
      sentinelAddrs: s.array(s.string(), { description: "Addresses of the sentinels.", minItems: 1 }),
      db: s.integer({ description: "Number of the database.", minimum: 0, maximum: 15 }).optional(),
      password: text("Password of the master. Prefer passwordVaultPath: this one is readable in the object."),
      passwordVaultPath: text("Where the master's password is in Vault."),
      sentinelPassword: text("Password of the sentinels. Prefer sentinelPasswordVaultPath."),
      sentinelPasswordVaultPath: text("Where the sentinels' password is in Vault."),
    },
    { description: "Finds the Redis through sentinels." },
  )
  .optional();

const retry = s
  .object(
    {
      initialBackoff: duration("Wait before the first new try."),
      maxBackoff: duration("What the wait never exceeds."),
      maxRetries: count("How often a command is tried again.", 0),
    },
    { description: "Tries failed commands again." },
  )
  .optional();

const tls = s
  .object(
    {
      enabled: enabled("Whether the connection is encrypted."),
      caFile: text("File with the certificates that are trusted."),
      certFile: text("File with the client's certificate."),
      keyFile: text("File with its key."),
      insecureSkipVerify: flag("Trust any certificate. For tests only."),
      minVersion: tlsVersion("Lowest version that is spoken."),
      maxVersion: tlsVersion("Highest version that is spoken."),
    },
    {
      description: "Encryption of the connection.",
      rules: [
        { rule: "has(self.certFile) == has(self.keyFile)", message: "certFile and keyFile go together" },
        TLS_VERSION_ORDER,
      ],
    },
  )
  .optional();

const connection = {
  url: text("Address: redis://host:port/db."),
  sentinel,
  connectTimeout: duration("How long connecting may take."),
  readTimeout: duration("How long an answer may take."),
  writeTimeout: duration("How long sending may take."),
  keyPrefix: text("What all keys begin with."),
  passwordVaultPath: text("Where the password is in Vault."),
  poolSize: count("Connections at most.", 1),
  retry,
  tls,
};

const URL_OR_SENTINEL: Rule = {
  rule: "!(has(self.url) && self.url != '' && has(self.sentinel))",
  message: "set url or sentinel, not both",
};

/** A Redis that keeps what is cached. */
export const cacheRedis = s
  .object(
    {
      ...connection,
      hashKeys: flag("Store hashes in place of keys."),
      ttlJitter: s
        .number({ description: "By which part lifetimes vary, so that not all end at once.", minimum: 0, maximum: 1 })
        .optional(),
    },
    { description: "The Redis, with type redis.", rules: [URL_OR_SENTINEL] },
  )
  .optional();

/** A Redis that counts requests. */
export const rateLimitRedis = s
  .object(
    { ...connection, failOpen: flag("Let requests pass while the Redis is away.") },
    { description: "The Redis, with store redis.", rules: [URL_OR_SENTINEL] },
  )
  .optional();

/** Of a block that keeps things in memory or in Redis, as `field` says: the `redis` block is there for redis, with an address. */
export const redisBlock = (field: "store" | "type"): Rule[] => [
  {
    rule: `self.${field} == 'redis' || !has(self.redis)`,
    message: `the redis block is for ${field} redis: set ${field}, or leave the block out`,
  },
  {
    rule: `self.${field} != 'redis' || (has(self.redis) && ((has(self.redis.url) && self.redis.url != '') || has(self.redis.sentinel)))`,
    message: `${field} redis needs redis.url or redis.sentinel`,
  },
];
