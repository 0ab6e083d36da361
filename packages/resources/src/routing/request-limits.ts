import { s } from "@gatewright/kube/define";
import { duration, enabled } from "./plain-fields.ts";

const bytes = (description: string) => s.integer({ description, format: "int64", minimum: 0 }).optional();

/** How large requests may be. */
export const requestLimits = s
  .object(
    {
      maxBodySize: bytes("Bytes of a body at most; larger ones are answered with 413. 0: the gateway's own limit."),
      maxHeaderSize: bytes("Bytes of all headers at most; more is answered with 431. 0: the gateway's own limit."),
    },
    { description: "How large requests may be." },
  )
  .optional();

/** How many requests are handled at the same time. */
export const maxSessions = s
  .object(
    {
      enabled: enabled("Whether sessions are limited."),
      maxConcurrent: s.integer({ description: "Requests at the same time.", minimum: 1 }),
      queueSize: s.integer({ description: "How many more may wait. Default: none." }).optional(),
      queueTimeout: duration("How long they wait before they are answered with 503."),
    },
    {
      description: "How many requests are handled at the same time.",
      rules: [
        { rule: "!self.enabled || !has(self.queueSize) || self.queueSize >= 0", message: "queueSize is 0 or more" },
        {
          rule: "!self.enabled || !has(self.queueSize) || self.queueSize <= 0 || (has(self.queueTimeout) && self.queueTimeout > duration('0s'))",
          message: "queueSize needs queueTimeout, above 0s: how long requests wait",
        },
      ],
    },
  )
  .optional();
