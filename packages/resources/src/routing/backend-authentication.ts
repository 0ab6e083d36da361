import { s } from "@gatewright/kube/define";
import { duration, enabled, requiredText, text, texts } from "./plain-fields.ts";
import { secretKey } from "./secret-key.ts";
import { HAS_CERTIFICATE, vaultCertificate } from "./vault-certificate.ts";

const basic = s
  .object(
    {
      enabled: enabled("Whether a name and a password are sent."),
      username: text("The name."),
      password: text("The password. Prefer vaultPath: this one is readable in the object."),
      vaultPath: text("Where both are in Vault."),
      usernameKey: s.string({ description: "Key of the name in Vault.", default: "username" }),
      passwordKey: s.string({ description: "Key of the password in Vault.", default: "password" }),
    },
    {
      description: "A name and a password.",
      rules: [
        {
          rule: "!self.enabled || (has(self.vaultPath) && self.vaultPath != '') || (has(self.username) && self.username != '' && has(self.password) && self.password != '')",
          message: "write username and password, or vaultPath",
        },
      ],
    },
  )
  .optional();

const oidc = s
  .object(
    {
      issuerUrl: requiredText("Address of the provider."),
      clientId: requiredText("Id of the client."),
      clientSecret: text("Its secret. Prefer clientSecretRef: this one is readable in the object."),
      clientSecretRef: secretKey("Key of a Secret with the client's secret."),
      scopes: texts("Scopes to ask for."),
      tokenCacheTTL: duration("How long a token serves at most."),
    },
    { description: "Who gives tokens, by client credentials." },
  )
  .optional();

const SOURCES = { static: "has(self.staticToken)", vault: "has(self.vaultPath)", oidc: "has(self.oidc)" };

const jwt = s
  .object(
    {
      enabled: enabled("Whether a token is sent."),
      tokenSource: s.string({ description: "Where it comes from.", enum: ["static", "vault", "oidc"] }),
      staticToken: text("The token, with tokenSource static. It is readable in the object."),
      vaultPath: text("Where it is in Vault, with tokenSource vault."),
      oidc,
      headerName: s.string({ description: "Header that has it.", default: "Authorization" }),
      headerPrefix: s.string({ description: "What stands before it.", default: "Bearer" }),
    },
    {
      description: "A token.",
      rules: [
        {
          rule: `!self.enabled || ${Object.entries(SOURCES)
            .map(([source, given]) => `(self.tokenSource == '${source}' && ${given})`)
            .join(" || ")}`,
          message: "tokenSource static needs staticToken, vault needs vaultPath, oidc needs oidc",
        },
      ],
    },
  )
  .optional();

const mtls = s
  .object(
    {
      enabled: enabled("Whether a certificate is shown."),
      certFile: text("File with the certificate."),
      keyFile: text("File with its key."),
      caFile: text("File with the certificates that are trusted."),
      vault: vaultCertificate,
    },
    {
      description: "A certificate.",
      rules: [{ rule: `!self.enabled || ${HAS_CERTIFICATE}`, message: "write certFile and keyFile, or vault" }],
    },
  )
  .optional();

/** How the gateway shows a backend who it is. */
export const backendAuthentication = s
  .object(
    {
      type: s.string({ description: "Which of the ways.", enum: ["jwt", "basic", "mtls"] }),
      jwt,
      basic,
      mtls,
    },
    {
      description: "How the gateway shows the backend who it is.",
      rules: [
        {
          rule: "self.type == 'jwt' ? has(self.jwt) : self.type == 'basic' ? has(self.basic) : has(self.mtls)",
          message: "write the block that type names",
        },
      ],
    },
  )
  .optional();
