import { needs, s } from "@gatewright/kube/define";
import { certificateArn } from "./aws-names.ts";

/** Where the hostname is seen from. */
export const VISIBILITIES = ["internet-facing", "internal"] as const;

/** Kinds of routes that may use a hostname. */
const ROUTE_KINDS = ["HTTPRoute", "GRPCRoute"] as const;

export const environment = s
  .string({ description: "What the hostname is for. Tags say it in AWS.", enum: ["dev", "staging", "prod"] })
  .optional();

export const namespaces = (description: string) =>
  s.array(s.string({ minLength: 1, maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" }), {
    description,
    maxItems: 64,
    listType: "set",
  });

export const kinds = s
  .array(s.string({ enum: ROUTE_KINDS }), {
    description: "Kinds of routes that may use the hostname. Default: both.",
    minItems: 1,
    maxItems: 2,
    listType: "set",
  })
  .optional();

export const deletionPolicy = {
  description: "Delete removes what was made in AWS together with the object; Retain leaves it there as it is.",
  enum: ["Delete", "Retain"],
} as const;

/** What of the records a team decides, in requests and in claims alike. */
export const recordFields = {
  recordTypes: s
    .array(s.string({ enum: ["A", "AAAA"] }), {
      description: "Types of records. Default: A, and AAAA where the load balancer has IPv6; AAAA is made only there.",
      minItems: 1,
      maxItems: 2,
      listType: "set",
    })
    .optional(),
  setIdentifier: s
    .string({
      description: "Tells this record from others of the same name, with weight or failover.",
      minLength: 1,
      maxLength: 128,
    })
    .optional(),
  weight: s
    .integer({
      description: "Share of the answers, among records of the same name. 0: none while others have any.",
      format: "int32",
      minimum: 0,
      maximum: 255,
    })
    .optional(),
  failover: s
    .string({
      description: "PRIMARY is answered while it is healthy, SECONDARY otherwise.",
      enum: ["PRIMARY", "SECONDARY"],
    })
    .optional(),
  healthCheckId: s
    .string({ description: "Route 53 health check of this record.", minLength: 1, maxLength: 64 })
    .optional(),
  evaluateTargetHealth: s.boolean({
    description: "Whether the record counts as healthy only while the load balancer has healthy targets.",
    default: true,
  }),
  adopt: s
    .boolean({ description: "Take over a record of that name that somebody else has made. Default: it is left alone." })
    .optional(),
} as const;

export const recordRules = [
  {
    rule: "!(has(self.weight) && has(self.failover))",
    message: "weight and failover exclude each other: a record has one routing policy",
  },
  {
    rule: "(has(self.weight) || has(self.failover)) == has(self.setIdentifier)",
    message: "setIdentifier goes with weight or failover, and they with it: it tells records of one name apart",
  },
  needs("healthCheckId", "setIdentifier"),
];

/** Which certificate, in requests and in claims alike. */
export const certificate = s
  .object(
    {
      strategy: s
        .string({
          description:
            "Reuse takes an issued certificate that covers the name, or else does as Bundle; Wildcard covers the name's siblings too; Bundle shares a certificate with other names of the time; Single is for this name alone. Default: Reuse.",
          enum: ["Reuse", "Wildcard", "Bundle", "Single"],
        })
        .optional(),
      keyAlgorithm: s
        .string({
          description: "Kind of key. Default: RSA_2048.",
          enum: ["RSA_2048", "EC_prime256v1", "EC_secp384r1"],
        })
        .optional(),
      arn: certificateArn(
        "A certificate that is there already. Nothing is requested then, and it is never deleted.",
      ).optional(),
    },
    {
      description: "Which certificate the hostname is served with.",
      rules: [
        {
          rule: "!has(self.arn) || (!has(self.strategy) && !has(self.keyAlgorithm))",
          message: "arn names a certificate that is there: leave strategy and keyAlgorithm out, or leave arn out",
        },
      ],
    },
  )
  .optional();
