import { s } from "@gatewright/kube/define";
import { aboveZero, count, duration, enabled } from "./plain-fields.ts";

/** Stops asking a backend that keeps failing. */
export const circuitBreaker = s
  .object(
    {
      enabled: enabled("Whether requests are held back."),
      threshold: s.integer({ description: "Failures in a row that open it.", minimum: 1 }),
      timeout: s.duration({ description: "How long it stays open before some requests are let through." }),
      halfOpenRequests: s
        .integer({ description: "How many are let through then, and must succeed. Default: 1." })
        .optional(),
    },
    {
      description: "Answers 503 at once while the backend keeps failing.",
      rules: [
        ...aboveZero(["timeout"], "!self.enabled"),
        {
          rule: "!self.enabled || !has(self.halfOpenRequests) || self.halfOpenRequests >= 0",
          message: "halfOpenRequests is 0 or more",
        },
      ],
    },
  )
  .optional();

/** Leaves single hosts out that keep failing. An addition of ours. */
export const outlierDetection = s
  .object(
    {
      enabled: enabled("Whether hosts are left out."),
      consecutiveErrors: count("Failures in a row after which a host is left out. Default: 5.", 1),
      interval: duration("How often it is looked whether hosts may come back. Default: 10s."),
      baseEjectionTime: duration("How long a host is left out, times how often it was already. Default: 30s."),
      maxEjectionPercent: s
        .integer({
          description: "How many hosts may be left out, in percent. Default: 10, but always one.",
          minimum: 0,
          maximum: 100,
        })
        .optional(),
    },
    {
      description: "Leaves hosts out that keep failing. Not known to gateways of AVAPIGW.",
      rules: aboveZero(["interval", "baseEjectionTime"], "!self.enabled"),
    },
  )
  .optional();
