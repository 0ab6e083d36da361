import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { conditions } from "./conditions.ts";
import { GATEWAY_API_GROUP } from "./gateway-api-group.ts";
import { labelSelector } from "./label-selector.ts";
import { groupOr, hostname, kind, portNumber, sectionName, SUBDOMAIN } from "./name-fields.ts";
import { certificateReference } from "./object-references.ts";
import { alike } from "./shared-rules.ts";

const PROTOCOL = String.raw`^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$|${SUBDOMAIN}\/[A-Za-z0-9]+$`;

const routeKind = s.object({ group: groupOr(GATEWAY_API_GROUP), kind });

const tls = s.object(
  {
    mode: s.string({
      description: "Who ends TLS: the listener, or the backend.",
      enum: ["Terminate", "Passthrough"],
      default: "Terminate",
    }),
    certificateRefs: s
      .array(certificateReference("A certificate."), {
        description: "Certificates that the listener shows.",
        maxItems: 64,
        listType: "atomic",
      })
      .optional(),
    options: s
      .map(s.string({ minLength: 0, maxLength: 4096 }), {
        description: "Settings that implementations define.",
        maxProperties: 16,
      })
      .optional(),
  },
  {
    description: "How TLS is spoken.",
    rules: [
      {
        rule: "self.mode != 'Terminate' || (has(self.certificateRefs) && size(self.certificateRefs) > 0) || (has(self.options) && size(self.options) > 0)",
        message: "mode Terminate needs certificateRefs or options",
      },
    ],
  },
);

const allowedRoutes = s.object(
  {
    namespaces: s.object(
      {
        from: s.string({ description: "Which namespaces.", enum: ["All", "Selector", "Same"], default: "Same" }),
        selector: labelSelector("Labels of the namespaces, for Selector.").optional(),
      },
      { description: "Namespaces whose routes may attach.", default: { from: "Same" } },
    ),
    kinds: s
      .array(routeKind, {
        description: "Kinds of routes that may attach. Default: those that the protocol allows.",
        maxItems: 8,
        listType: "atomic",
      })
      .optional(),
  },
  { description: "Which routes may attach.", default: { namespaces: { from: "Same" } } },
);

const listener = s.object({
  name: sectionName("Name of the listener, for routes to refer to."),
  hostname: hostname("Hostname that the listener is for. Default: all.").optional(),
  port: portNumber("Port that it listens on."),
  protocol: s.string({
    description: "HTTP, HTTPS, TLS, TCP, UDP, or one that an implementation defines.",
    minLength: 1,
    maxLength: 255,
    pattern: PROTOCOL,
  }),
  tls: tls.optional(),
  allowedRoutes,
});

const rules: readonly Rule[] = [
  {
    rule: "self.all(l, !(l.protocol in ['HTTP', 'TCP', 'UDP']) || !has(l.tls))",
    message: "tls is not for protocols HTTP, TCP and UDP",
  },
  {
    rule: "self.all(l, l.protocol != 'HTTPS' || !has(l.tls) || l.tls.mode == 'Terminate')",
    message: "protocol HTTPS needs tls mode Terminate",
  },
  { rule: "self.all(l, l.protocol != 'TLS' || has(l.tls))", message: "protocol TLS needs tls" },
  {
    rule: "self.all(l, !(l.protocol in ['TCP', 'UDP']) || !has(l.hostname))",
    message: "hostname is not for protocols TCP and UDP",
  },
  {
    rule: `self.all(a, self.exists_one(b, a.port == b.port && a.protocol == b.protocol && ${alike("hostname")}))`,
    message: "two listeners have the same port, protocol and hostname",
  },
];

/** Where connections come in, each by its name. */
export const listeners = s.array(listener, {
  description: "Where connections come in.",
  minItems: 1,
  maxItems: 64,
  listType: "map",
  listMapKeys: ["name"],
  rules,
});

const listenerStatus = s.object({
  name: sectionName("Name of the listener."),
  supportedKinds: s
    .array(routeKind, { description: "Kinds of routes that it takes.", maxItems: 8, listType: "atomic" })
    .optional(),
  attachedRoutes: s.integer({ description: "How many routes are attached.", format: "int32" }),
  conditions: conditions(),
});

/** How each listener fares. */
export const listenerStatuses = s
  .array(listenerStatus, {
    description: "How each listener fares.",
    maxItems: 64,
    listType: "map",
    listMapKeys: ["name"],
  })
  .optional();
