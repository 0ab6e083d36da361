import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { webAclArn, zoneId } from "../hostnames/aws-names.ts";
import { writtenHostname } from "../hostnames/hostname.ts";
import { VISIBILITIES, certificate, environment } from "../hostnames/wishes.ts";

/**
 * Paths that a load balancer compares as they are written. One that it refuses, or that the route cannot have, would be found out only
 * later, and what it refuses stops it for everybody on it.
 */
const pathRules: readonly Rule[] = [
  {
    rule: "!self.contains('//') && !self.matches('/[.][.]?(/|$)')",
    message: "write the path without //, /./ and /../",
  },
  {
    rule: "self.matches('^([^%]|%[0-9A-Fa-f]{2})*$') && !self.matches('%2[Ff]')",
    message: "% stands before two hexadecimal digits, and not before 2F",
  },
  {
    rule: "!self.contains('*')",
    message: "a path stands for itself alone: leave * out; type Prefix takes all that is below the path",
  },
  { rule: "size(self) <= 126", message: "a path has 126 characters at most: load balancers take no more" },
];

const path = s.object({
  path: s.string({
    description: "Path of requests.",
    maxLength: 1024,
    pattern: "^/[-A-Za-z0-9/._~!$&'()*+,;=:@%]*$",
    rules: pathRules,
  }),
  type: s.string({
    description: "Prefix: this path and all below it. Exact: this path alone.",
    enum: ["Prefix", "Exact"],
    default: "Prefix",
  }),
  port: s
    .intOrString({
      description: "Port of the Service that they go to, by number or by its name in ports. Default: the first.",
      maxLength: 15,
    })
    .optional(),
});

/** A hostname in front of the Application: a GatewayHostnameRequest, an HTTPRoute, and pods as targets of the load balancer. */
export const expose = s
  .object(
    {
      hostname: writtenHostname("The name that it is to answer at over HTTPS."),
      zoneId: zoneId("Route 53 hosted zone that the hostname is in."),
      paths: s
        .array(path, {
          description: "Which requests go where. Default: all to the first port.",
          minItems: 1,
          maxItems: 16,
        })
        .optional(),
      www: s.boolean({ description: "Whether www.hostname leads there too, by a permanent redirect." }).optional(),
      visibility: s
        .string({
          description: "Whether the load balancer has public addresses. Default: internet-facing.",
          enum: VISIBILITIES,
        })
        .optional(),
      environment,
      certificate,
      wafArn: webAclArn("Web ACL that guards the load balancer.").optional(),
    },
    {
      description: "The hostname that it answers at from outside of the cluster.",
      rules: [
        {
          rule: "!self.hostname.startsWith('*') || !has(self.www) || !self.www",
          message: "a wildcard has no www: it covers www already",
          fieldPath: ".www",
        },
      ],
    },
  )
  .optional();

/** What `expose` needs of the rest of the spec. */
export const exposeRules: readonly Rule[] = [
  {
    rule: "!has(self.expose) || (has(self.ports) && self.ports.exists(p, p.protocol == 'TCP'))",
    message: "expose needs a port that speaks TCP in ports",
  },
  {
    rule: "!has(self.expose) || !has(self.expose.paths) || self.expose.paths.all(p, !has(p.port) || (has(self.ports) && self.ports.exists(q, q.protocol == 'TCP' && (type(p.port) == int ? q.port == int(p.port) : q.name == string(p.port)))))",
    message: "each port of expose.paths is the number or the name of one in ports that speaks TCP",
  },
  {
    rule: "!has(self.expose) || !has(self.probes) || !has(self.probes.readiness) || !has(self.probes.readiness.httpGet) || (size(self.probes.readiness.httpGet.path) < 1024 && self.probes.readiness.httpGet.path.matches('^[!-~]*$'))",
    message:
      "what is exposed is asked by its load balancer, too: write the path in 1023 characters at most, without spaces",
    fieldPath: ".probes.readiness.httpGet.path",
  },
  {
    rule: "!(has(self.runToCompletion) && self.runToCompletion && has(self.expose))",
    message: "what runs to completion is not exposed",
  },
];
