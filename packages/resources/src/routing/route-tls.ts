import { s } from "@gatewright/kube/define";
import { enabled, flag, text, texts } from "./plain-fields.ts";
import { TLS_VERSION_ORDER, tlsVersion } from "./tls-versions.ts";
import { vaultCertificate } from "./vault-certificate.ts";

const PAIR = "(has(self.certificate) && self.certificate != '') == (has(self.key) && self.key != '')";
const FILE_PAIR = "(has(self.certFile) && self.certFile != '') == (has(self.keyFile) && self.keyFile != '')";

/** The certificate of a route's names, and the clients' certificates that it demands. */
export const routeTls = s
  .object(
    {
      certFile: text("File with the certificate, on the gateway's machine."),
      keyFile: text("File with its key."),
      secretName: text(
        "Name of a Secret of the type kubernetes.io/tls in the same namespace. The operator reads it. Not known to gateways of AVAPIGW.",
      ),
      certificate: text(
        "The certificate and those that lead to its root, PEM; of secretName, filled in by the operator.",
      ),
      key: text("Its key, PEM; of secretName, filled in by the operator. Better not written here."),
      vault: vaultCertificate,
      sniHosts: texts(
        "Names that clients must have asked for when they connected, and that the certificate, if there is one here, is shown for.",
      ),
      minVersion: tlsVersion("Lowest version that is spoken."),
      maxVersion: tlsVersion("Highest version that is spoken."),
      cipherSuites: texts("Cipher suites that may be used."),
      clientValidation: s
        .object(
          {
            enabled: enabled("Whether clients' certificates are checked."),
            caFile: text("File with the certificates that issue those of clients."),
            requireClientCert: flag("Refuse clients without certificate."),
            allowedCNs: texts("Common names that may call. Default: all."),
            allowedSANs: texts("Further names, of which a certificate must have one. Default: all."),
          },
          {
            description: "Which clients' certificates are taken.",
            rules: [
              {
                rule: "!self.enabled || (has(self.caFile) && self.caFile != '')",
                message: "checking clients' certificates needs caFile",
              },
            ],
          },
        )
        .optional(),
    },
    {
      description: "The certificate of the route's names, and what clients must show.",
      rules: [
        {
          rule: `(has(self.vault) && self.vault.enabled) || ${FILE_PAIR}`,
          message: "certFile and keyFile go together",
        },
        { rule: PAIR, message: "certificate and key go together" },
        TLS_VERSION_ORDER,
      ],
    },
  )
  .optional();
