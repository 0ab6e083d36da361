import { s } from "@gatewright/kube/define";
import { apiKey, basic } from "./caller-secrets.ts";
import { enabled, filled, flag, isOn, requiredText, text, texts } from "./plain-fields.ts";
import { secretKey } from "./secret-key.ts";

const jwt = s
  .object(
    {
      enabled: enabled("Whether tokens are taken."),
      issuer: text("Who must have issued the token."),
      audience: texts("Whom the token must be for: one of these."),
      algorithm: s
        .string({
          description:
            "How the token must be signed. Default: as the key says; with secret one of HS256, HS384 and HS512.",
          enum: ["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512"],
        })
        .optional(),
      jwksUrl: text("Where the issuer's keys are."),
      publicKey: text("The issuer's public key, PEM."),
      secret: text("The shared secret of HS tokens. It is readable in the object: prefer keys."),
      claimMapping: s
        .object(
          {
            roles: text("Claim with the caller's roles."),
            permissions: text("Claim with the permissions."),
            groups: text("Claim with the groups."),
            scopes: text("Claim with the scopes."),
            email: text("Claim with the address."),
            name: text("Claim with the name."),
          },
          { description: "Which claims say what; a path such as realm_access.roles reaches inside." },
        )
        .optional(),
    },
    {
      description: "Bearer tokens.",
      rules: [
        {
          rule: "!self.enabled || [has(self.jwksUrl) && self.jwksUrl != '', has(self.publicKey) && self.publicKey != '', has(self.secret) && self.secret != ''].exists(set, set)",
          message: "tokens need a key: jwksUrl, publicKey or secret",
        },
      ],
    },
  )
  .optional();

const mtls = s
  .object(
    {
      enabled: enabled("Whether clients' certificates are taken."),
      caFile: text("File with the certificates that issue those of clients. Default: those of the listener."),
      extractIdentity: s
        .string({ description: "Which part names the caller. Default: cn.", enum: ["cn", "san", "ou"] })
        .optional(),
      allowedCNs: texts("Common names that may call. Default: all."),
      allowedOUs: texts("Units that may call. Default: all."),
    },
    { description: "Clients' certificates." },
  )
  .optional();

const oidcProvider = s.object({
  name: requiredText("Name of the provider."),
  issuerUrl: requiredText("Its address; its configuration is found below it."),
  clientId: requiredText("Whom its tokens must be for."),
  clientSecret: text("Secret of the client. Prefer clientSecretRef: this one is readable in the object."),
  clientSecretRef: secretKey("Key of a Secret with the client's secret."),
  scopes: texts("Scopes that the token must have."),
});

const oidc = s
  .object(
    {
      enabled: enabled("Whether tokens of OpenID providers are taken."),
      providers: s.array(oidcProvider, { description: "The providers." }).optional(),
    },
    {
      description: "Tokens of OpenID providers.",
      rules: [
        {
          rule: `!self.enabled || ${filled("self.providers")}`,
          message: "write at least one of providers: name, issuerUrl, clientId",
        },
      ],
    },
  )
  .optional();

const METHODS = ["jwt", "apiKey", "mtls", "oidc", "basic"];

/** Who may call. */
export const authentication = s
  .object(
    {
      enabled: enabled("Whether callers must say who they are."),
      allowAnonymous: flag("Let callers through that say nothing. What they do say must be true all the same."),
      skipPaths: texts("Paths that need no authentication: /healthz, or /public/* for all below."),
      jwt,
      apiKey,
      basic,
      mtls,
      oidc,
    },
    {
      description: "Who may call. A caller passes by any of the ways that are enabled.",
      rules: [
        {
          rule: `!self.enabled || ${isOn("self.allowAnonymous")} || ${METHODS.map((way) => `(has(self.${way}) && self.${way}.enabled)`).join(" || ")}`,
          message: `enable one of ${METHODS.join(", ")}, or set allowAnonymous`,
        },
      ],
    },
  )
  .optional();
