import { s } from "@gatewright/kube/define";
import { count, enabled, flag, text, textMap } from "./plain-fields.ts";

/** Headers that tell browsers to be careful. */
export const security = s
  .object(
    {
      enabled: enabled("Whether the headers are sent."),
      headers: s
        .object(
          {
            enabled: enabled("Whether these headers are sent."),
            xFrameOptions: text("X-Frame-Options."),
            xContentTypeOptions: text("X-Content-Type-Options."),
            xXSSProtection: text("X-XSS-Protection."),
            contentSecurityPolicy: text("Content-Security-Policy. The csp block wins."),
            strictTransportSecurity: text("Strict-Transport-Security. The hsts block wins."),
            customHeaders: textMap("Further headers of answers."),
          },
          { description: "Headers, one by one." },
        )
        .optional(),
      hsts: s
        .object(
          {
            enabled: enabled("Whether browsers are told to use TLS only."),
            maxAge: count("For how many seconds.", 0),
            includeSubDomains: flag("For all names below too."),
            preload: flag("Whether browsers may know it in advance."),
          },
          { description: "Strict-Transport-Security." },
        )
        .optional(),
      csp: s
        .object(
          {
            enabled: enabled("Whether a policy is sent."),
            policy: text("The policy: default-src 'self'."),
            reportOnly: flag("Report what breaks the policy, and allow it."),
            reportUri: text("Where browsers report to."),
          },
          { description: "Content-Security-Policy." },
        )
        .optional(),
      referrerPolicy: text("Referrer-Policy."),
    },
    { description: "Headers of answers that tell browsers to be careful." },
  )
  .optional();
