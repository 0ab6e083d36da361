import { ageColumn, conditionColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { webAclArn, zoneId } from "./hostnames/aws-names.ts";
import { canonicalHostname, writtenHostname } from "./hostnames/hostname.ts";
import {
  VISIBILITIES,
  certificate,
  deletionPolicy,
  environment,
  kinds,
  namespaces,
  recordFields,
  recordRules,
} from "./hostnames/wishes.ts";

const routePolicy = s
  .object(
    {
      autoAllow: s.boolean({
        description: "Whether routes of the request's own namespace may use the hostname.",
        default: true,
      }),
      kinds,
      namespaces: namespaces("Further namespaces whose routes may use the hostname.").optional(),
    },
    { description: "Who may attach routes. Default: the namespace of the request." },
  )
  .optional();

const dns = s
  .object(
    {
      ...recordFields,
      www: s.boolean({ description: "Whether www.hostname leads there too, by a permanent redirect." }).optional(),
    },
    { description: "The records of the hostname.", rules: recordRules },
  )
  .optional();

const short = (description: string, maxLength: number) => s.string({ description, maxLength }).optional();

const parent = s.object({
  kind: s.string({ description: "What it is.", enum: ["Gateway", "ListenerSet"] }),
  namespace: s.string({ description: "Its namespace.", minLength: 1, maxLength: 63 }),
  name: s.string({ description: "Its name.", minLength: 1, maxLength: 253 }),
});

/** What a team wants: a hostname that is live over HTTPS. */
export const GatewayHostnameRequest = defineResource({
  group: "gateway.opendi.com",
  version: "v1alpha1",
  kind: "GatewayHostnameRequest",
  shortNames: ["ghr"],
  scope: "Namespaced",
  description: "A hostname for a team: claimed, with a certificate, a listener of a load balancer and DNS records.",
  spec: s.object(
    {
      zoneId: zoneId("Route 53 hosted zone that the hostname is in."),
      hostname: writtenHostname(
        "The name to be served: an apex, a name below it, or a wildcard for one label. Other scripts than Latin in punycode.",
      ),
      environment,
      visibility: s.string({
        description: "Whether the load balancer has public addresses.",
        enum: VISIBILITIES,
        default: "internet-facing",
      }),
      gatewayClass: s.string({
        description: "GatewayClass of the load balancer.",
        minLength: 1,
        maxLength: 253,
        default: "aws-alb",
      }),
      routePolicy,
      dns,
      certificate,
      wafArn: webAclArn(
        "Web ACL that guards the load balancer. Hostnames with different ones are on different Gateways.",
      ).optional(),
      gatewaySelector: s
        .labelSelector({ description: "Labels that the Gateway must have. Default: any of the pool." })
        .optional(),
      deletionPolicy: s.string({ ...deletionPolicy, default: "Delete" }),
      ttl: s
        .duration({
          description: "For how long the hostname lives after the request was made, for previews. Default: for good.",
          rules: [{ rule: "self >= duration('1m')", message: "a hostname lives for at least a minute, such as 72h" }],
        })
        .optional(),
    },
    {
      rules: [
        {
          rule: "!self.hostname.startsWith('*') || !has(self.dns) || !has(self.dns.www) || !self.dns.www",
          message: "a wildcard has no www: it covers www already",
          fieldPath: ".dns.www",
        },
      ],
    },
  ),
  status: s.object({
    observedGeneration: s
      .integer({ description: "The generation that this status is about.", format: "int64", minimum: 0 })
      .optional(),
    hostname: canonicalHostname("The hostname as it is compared: in lower case, without a dot at the end.").optional(),
    claim: short("Name of the DomainClaim that holds the hostname.", 253),
    assignedGateway: short("Name of the Gateway that serves the hostname.", 253),
    assignedGatewayNamespace: short("Namespace of that Gateway.", 63),
    assignedLoadBalancer: short("DNS name of the load balancer.", 255),
    certificateArn: short("The certificate that the hostname is served with.", 2048),
    url: short("Where it answers.", 2048),
    hostnames: s
      .array(canonicalHostname("A hostname."), {
        description: "Every hostname that is held, for routes to name: both while one takes the place of another.",
        maxItems: 16,
        listType: "atomic",
      })
      .optional(),
    parents: s
      .array(parent, {
        description: "Where they are served, for routes to name as their parents: both while a hostname moves.",
        maxItems: 32,
        listType: "atomic",
      })
      .optional(),
    expiresAt: s.time({ description: "When the request is removed, if it has a ttl." }).optional(),
    conditions: s.conditions(
      "Claimed, CertificateRequested, DnsValidated, CertificateIssued, ListenerAttached, DnsAliasReady, Ready in this order; Denied when it is refused.",
    ),
  }),
  columns: [
    { name: "Hostname", type: "string", path: ".spec.hostname" },
    { name: "Gateway", type: "string", path: ".status.assignedGateway" },
    conditionColumn("Ready"),
    { name: "Reason", type: "string", path: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: "URL", type: "string", path: ".status.url", priority: 1 },
    ageColumn,
  ],
  selectableFields: [".spec.hostname"],
  example: {
    apiVersion: "gateway.opendi.com/v1alpha1",
    kind: "GatewayHostnameRequest",
    metadata: { name: "test-hostname", namespace: "default" },
    spec: { zoneId: "A1231313", hostname: "test.opendi.com" },
  },
});

/** {@inheritDoc GatewayHostnameRequest} */
export type GatewayHostnameRequest = ObjectOf<typeof GatewayHostnameRequest>;
