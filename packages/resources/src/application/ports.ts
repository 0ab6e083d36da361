import { s } from "@gatewright/kube/define";

const number = (description: string) => s.integer({ description, format: "int32", minimum: 1, maximum: 65_535 });

/** Ports of the container and of the Service in front of it. None: there is no Service. */
export const ports = s
  .array(
    s.object({
      name: s.string({
        description: "Name of the port. The first one called http or https makes the url.",
        maxLength: 15,
        pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        default: "http",
        rules: [
          {
            rule: "self.matches('[a-z]') && !self.contains('--')",
            message: "the name of a port has a letter, and no two dashes beside each other",
          },
        ],
      }),
      port: number("Port of the Service."),
      targetPort: number("Port that the container listens on. Default: port.").optional(),
      protocol: s.string({ description: "What it speaks.", enum: ["TCP", "UDP", "SCTP"], default: "TCP" }),
      appProtocol: s
        .string({ description: "What is spoken on top of it: http, https, kubernetes.io/h2c.", maxLength: 316 })
        .optional(),
    }),
    {
      description: "Ports that it listens on. With any there is a Service of the same name.",
      maxItems: 16,
      listType: "map",
      listMapKeys: ["name"],
      rules: [
        {
          rule: "self.all(a, self.exists_one(b, a.port == b.port && a.protocol == b.protocol))",
          message: "no two ports have the same port and protocol",
        },
      ],
    },
  )
  .optional();
