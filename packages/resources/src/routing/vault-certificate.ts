import { s } from "@gatewright/kube/define";
import { enabled, text, texts } from "./plain-fields.ts";

const NEEDED = ["pkiMount", "role", "commonName"];

/** A certificate that Vault issues. */
export const vaultCertificate = s
  .object(
    {
      enabled: enabled("Whether Vault issues the certificate."),
      pkiMount: text("Where its PKI is mounted."),
      role: text("Role that issues."),
      commonName: text("Common name of the certificate."),
      altNames: texts("Further names."),
      ttl: text("Lifetime: 24h."),
    },
    {
      description: "Has the certificate issued by Vault.",
      rules: [
        {
          rule: `!self.enabled || (${NEEDED.map((field) => `has(self.${field}) && self.${field} != ''`).join(" && ")})`,
          message: `certificates of Vault need ${NEEDED.slice(0, -1).join(", ")} and ${NEEDED.at(-1)}`,
        },
      ],
    },
  )
  .optional();

const HAS_FILES = "(has(self.certFile) && self.certFile != '' && has(self.keyFile) && self.keyFile != '')";

/** CEL: the object has a certificate: files, or Vault's. */
export const HAS_CERTIFICATE = `(${HAS_FILES} || (has(self.vault) && self.vault.enabled))`;
