import { s } from "@gatewright/kube/define";
import { aboveZero, duration, flag, port, text } from "./plain-fields.ts";

const pace = {
  interval: duration("How often a host is asked. Default: 10s."),
  timeout: duration("How long its answer may take. Default: 5s."),
  healthyThreshold: s.integer({ description: "Good answers in a row that make it healthy.", minimum: 1, default: 2 }),
  unhealthyThreshold: s.integer({
    description: "Bad answers in a row that make it unhealthy.",
    minimum: 1,
    default: 3,
  }),
};

const tcp = flag("Only connect, and ask nothing. Not known to gateways of AVAPIGW.");

/** How it is found out which hosts of an HTTP backend can take requests. */
export const healthCheck = s
  .object(
    {
      path: s
        .string({ description: "Path that is asked for; any status of 200 to 399 is good.", minLength: 1 })
        .optional(),
      port: port("Port, where it is not that of the host.").optional(),
      useGRPC: flag("Ask by gRPC's health protocol."),
      grpcService: text("Service that is asked about. Default: the whole server."),
      tcp,
      ...pace,
    },
    {
      description: "How it is found out which hosts can take requests.",
      rules: [
        {
          rule: "has(self.path) || (has(self.tcp) && self.tcp)",
          message: "write path: what is asked for; or tcp: true to only connect",
          reason: "FieldValueRequired",
          fieldPath: ".path",
        },
        ...aboveZero(["interval", "timeout"]),
      ],
    },
  )
  .optional();

/** How it is found out which hosts of a gRPC backend can take calls. */
export const grpcHealthCheck = s
  .object(
    {
      enabled: s.boolean({ description: "Whether hosts are asked.", default: true }),
      service: text("Service that is asked about. Default: the whole server."),
      useHTTP: flag("Ask by HTTP."),
      httpPath: s.string({
        description: "Path that is asked for, with useHTTP.",
        maxLength: 4096,
        default: "/healthz",
      }),
      httpPort: port("Port, with useHTTP, where it is not that of the host.").optional(),
      tcp,
      ...pace,
    },
    {
      description: "How it is found out which hosts can take calls. Default way: gRPC's health protocol.",
      rules: [
        {
          rule: "!(has(self.useHTTP) && self.useHTTP) || self.httpPath.startsWith('/')",
          message: "httpPath begins with /",
          fieldPath: ".httpPath",
        },
        {
          rule: "(has(self.useHTTP) && self.useHTTP) || (self.httpPath in ['', '/healthz'] && !has(self.httpPort))",
          message: "httpPath and httpPort are for useHTTP: true",
        },
        ...aboveZero(["interval", "timeout"], "!self.enabled"),
      ],
    },
  )
  .optional();
