import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { attributes } from "./gateway-aws-group.ts";

const PROTOCOL_PORT = String.raw`^(HTTP|HTTPS|TLS|TCP|UDP|TCP_UDP)?:(6553[0-5]|655[0-2]\d|65[0-4]\d{2}|6[0-4]\d{3}|[1-5]\d{4}|[1-9]\d{0,3})?$`;

const onlyWhenVerifying = (field: string): Rule => ({
  rule: `self.mode == 'verify' || !has(self.${field})`,
  message: `${field} is for mode verify only`,
});

const mutualAuthentication = s.object(
  {
    mode: s.string({ description: "What is done with client certificates.", enum: ["off", "passthrough", "verify"] }),
    trustStore: s.string({ description: "Trust store to verify them with, by name or ARN." }).optional(),
    ignoreClientCertificateExpiry: s.boolean({ description: "Whether expired ones are taken." }).optional(),
    advertiseTrustStoreCaNames: s
      .string({ description: "Whether clients are told the authorities' names.", enum: ["on", "off"] })
      .optional(),
  },
  {
    description: "Client certificates.",
    rules: [
      { rule: "self.mode != 'verify' || has(self.trustStore)", message: "mode verify needs a trustStore" },
      onlyWhenVerifying("trustStore"),
      onlyWhenVerifying("ignoreClientCertificateExpiry"),
      onlyWhenVerifying("advertiseTrustStoreCaNames"),
    ],
  },
);

const listenerConfiguration = s.object({
  protocolPort: s.string({ description: "The listener that is meant: HTTPS:443.", pattern: PROTOCOL_PORT }),
  defaultCertificate: s.string({ description: "ARN of the certificate for names that no other is for." }).optional(),
  certificates: s.array(s.string(), { description: "ARNs of further certificates." }).optional(),
  sslPolicy: s.string({ description: "Name of the TLS policy." }).optional(),
  alpnPolicy: s.string({
    description: "Which protocols are offered during the TLS handshake.",
    enum: ["HTTP1Only", "HTTP2Only", "HTTP2Optional", "HTTP2Preferred", "None"],
    default: "None",
  }),
  mutualAuthentication: mutualAuthentication.optional(),
  targetGroupStickiness: s.boolean({ description: "Whether clients stay with a target group." }).optional(),
  quicEnabled: s.boolean({ description: "Whether QUIC is spoken." }).optional(),
  listenerAttributes: attributes("Attributes of the listener."),
});

/** Settings of single listeners, each by protocol and port. */
export const listenerConfigurations = s
  .array(listenerConfiguration, { description: "Settings of single listeners." })
  .optional();
