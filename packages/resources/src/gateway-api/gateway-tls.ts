import { s } from "@gatewright/kube/define";
import { portNumber } from "./name-fields.ts";
import { certificateReference, objectReference } from "./object-references.ts";

const validation = s.object(
  {
    caCertificateRefs: s.array(objectReference("Certificates of an authority."), {
      description: "Authorities whose client certificates are believed.",
      minItems: 1,
      maxItems: 16,
      listType: "atomic",
    }),
    mode: s.string({
      description: "What happens to clients without a valid certificate.",
      enum: ["AllowValidOnly", "AllowInsecureFallback"],
      default: "AllowValidOnly",
    }),
  },
  { description: "How client certificates are checked." },
);

const clientTls = (description: string) => s.object({ validation: validation.optional() }, { description });

const perPort = s.object({ port: portNumber("Port of listeners."), tls: clientTls("Settings of the port.") });

/** TLS settings of a whole Gateway: towards clients, by port, and towards backends. */
export const gatewayTls = s
  .object(
    {
      frontend: s
        .object(
          {
            default: clientTls("Settings of ports that have none of their own."),
            perPort: s
              .array(perPort, {
                description: "Settings of single ports.",
                maxItems: 64,
                listType: "map",
                listMapKeys: ["port"],
              })
              .optional(),
          },
          { description: "TLS towards clients." },
        )
        .optional(),
      backend: s
        .object(
          { clientCertificateRef: certificateReference("Certificate that backends are shown.").optional() },
          { description: "TLS towards backends." },
        )
        .optional(),
    },
    { description: "TLS settings of the whole Gateway." },
  )
  .optional();
