import { s } from "@gatewright/kube/define";
import { enabled, flag, text, texts } from "./plain-fields.ts";
import { TLS_VERSION_ORDER, tlsVersion } from "./tls-versions.ts";
import { HAS_CERTIFICATE, vaultCertificate } from "./vault-certificate.ts";

/** Encryption on the way to a backend. */
export const backendTls = s
  .object(
    {
      enabled: enabled("Whether connections are encrypted."),
      mode: s.string({
        description:
          "SIMPLE: the backend shows a certificate. MUTUAL: the gateway shows one too. INSECURE: any certificate is taken.",
        enum: ["SIMPLE", "MUTUAL", "INSECURE"],
        default: "SIMPLE",
      }),
      caFile: text("File with the certificates that are trusted. Default: those of the system."),
      certFile: text("File with the gateway's certificate."),
      keyFile: text("File with its key."),
      vault: vaultCertificate,
      serverName: text("Name that the backend's certificate must have. Default: the host's address."),
      insecureSkipVerify: flag("Trust any certificate, as with mode INSECURE."),
      minVersion: tlsVersion("Lowest version that is spoken."),
      maxVersion: tlsVersion("Highest version that is spoken."),
      cipherSuites: texts("Cipher suites that may be used."),
      alpn: texts("Protocols that are offered."),
    },
    {
      description: "Encryption on the way to the backend.",
      rules: [
        {
          rule: `!self.enabled || self.mode != 'MUTUAL' || ${HAS_CERTIFICATE}`,
          message: "mode MUTUAL needs a certificate: certFile and keyFile, or vault",
        },
        { ...TLS_VERSION_ORDER, rule: `!self.enabled || ${TLS_VERSION_ORDER.rule}` },
      ],
    },
  )
  .optional();
