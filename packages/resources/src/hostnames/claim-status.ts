import { s } from "@gatewright/kube/define";

const name = (description: string) => s.string({ description, minLength: 1, maxLength: 253 });
const dnsName = (description: string) => s.string({ description, minLength: 1, maxLength: 255 });
const zone = (description: string) => s.string({ description, minLength: 1, maxLength: 64 });

const loadBalancer = s
  .object(
    {
      dnsName: dnsName("Its DNS name."),
      zoneId: zone("Hosted zone that alias records name for it."),
      dualStack: s.boolean({ description: "Whether it has IPv6 addresses." }),
    },
    { description: "The load balancer of the Gateway." },
  )
  .optional();

const request = s
  .object(
    {
      names: s.array(dnsName("A name."), {
        description: "Names that the certificate is to have.",
        minItems: 1,
        maxItems: 100,
      }),
      token: s.string({ description: "Makes asking twice one request.", maxLength: 32, pattern: "^[A-Za-z0-9_]+$" }),
      keyAlgorithm: s.string({ description: "Kind of key.", maxLength: 32 }),
      attempt: s.integer({
        description: "Which try this is: a new one is another certificate.",
        format: "int32",
        minimum: 0,
      }),
      requestedAt: s.time({ description: "When it was decided." }),
    },
    { description: "What was, or is about to be, asked of ACM." },
  )
  .optional();

const certificate = s
  .object(
    {
      arn: s.string({ description: "ARN of the certificate.", maxLength: 2048 }).optional(),
      request,
      adopted: s.boolean({ description: "It was there before or is somebody else's: it is never deleted." }).optional(),
    },
    { description: "The certificate of the hostname." },
  )
  .optional();

const record = s.object({
  name: dnsName("Name of the record, in lower case, without a dot at the end."),
  type: s.string({ description: "Type of the record.", minLength: 1, maxLength: 16 }),
  ttl: s.integer({ description: "For how long resolvers remember it.", format: "int64", minimum: 0 }).optional(),
  values: s.array(s.string({ maxLength: 4000 }), { description: "Its values.", maxItems: 100 }).optional(),
  alias: s
    .object(
      {
        dnsName: dnsName("Name of the target."),
        zoneId: zone("Hosted zone of the target."),
        evaluateTargetHealth: s.boolean({ description: "Whether the target's health counts." }),
      },
      { description: "The target, of records that are aliases." },
    )
    .optional(),
  setIdentifier: s.string({ description: "Tells records of one name apart.", maxLength: 128 }).optional(),
  weight: s.integer({ description: "Share of the answers.", format: "int32", minimum: 0, maximum: 255 }).optional(),
  failover: s.string({ description: "Its role.", enum: ["PRIMARY", "SECONDARY"] }).optional(),
  healthCheckId: s.string({ description: "Its health check.", maxLength: 64 }).optional(),
  purpose: s.string({
    description: "validation lets ACM issue and renew the certificate; alias leads to the load balancer.",
    enum: ["validation", "alias"],
  }),
});

/** The memory of a claim: all that was made for a hostname, written before it is asked for and removed after it is known to be gone. */
export const claimStatus = s.object({
  claimedAt: s.time({ description: "Since when the hostname is held." }).optional(),
  observedGeneration: s
    .integer({ description: "The generation that this status is about.", format: "int64", minimum: 0 })
    .optional(),
  certificate,
  gateway: name("The Gateway that serves the hostname.").optional(),
  leaving: s
    .array(
      s.object({
        gateway: name("Name of the Gateway."),
        since: s.time({ description: "When the hostname was moved away from it." }),
        loadBalancer,
      }),
      {
        description: "Gateways that serve the hostname until nobody is led there any more.",
        maxItems: 16,
        listType: "map",
        listMapKeys: ["gateway"],
      },
    )
    .optional(),
  loadBalancer,
  records: s
    .array(record, { description: "Records in the hosted zone that are the claim's.", maxItems: 64 })
    .optional(),
  released: s
    .object(
      {
        at: s.time({ description: "When the step began." }),
        step: s.string({
          description:
            "What is being removed: alias records, then for drain nothing while resolvers forget, the listener, the certificate, the validation record.",
          enum: ["alias", "drain", "listener", "certificate", "validation"],
        }),
      },
      { description: "How far the claim is undone." },
    )
    .optional(),
  conditions: s.conditions("The same as those of the request."),
});
