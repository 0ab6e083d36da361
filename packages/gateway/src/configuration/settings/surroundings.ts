import { s } from "@gatewright/kube/define";

const file = (description: string) => s.string({ description, minLength: 1 }).optional();
const port = (description: string) => s.integer({ description, minimum: 0, maximum: 65_535 });
const share = (description: string, fallback: number) =>
  s.number<number>({ description, minimum: 0, maximum: 1, default: fallback });

/** Where people and Prometheus look at the gateway. */
export const adminSchema = s.object(
  {
    enabled: s.boolean({ description: "Whether there is an admin endpoint.", default: true }),
    address: s.string({ description: "Address to listen on.", minLength: 1, default: "127.0.0.1" }),
    port: port("Port to listen on. 0: any that is free. Default: 9090.").optional(),
  },
  { description: "The admin endpoint: metrics, health, the live table.", default: {} },
);

/** What is written about each request. */
export const accessLogSchema = s.object(
  {
    enabled: s.boolean({ description: "Whether requests are logged.", default: true }),
    file: file("File to write to. Default: standard output."),
    sampleRate: share("Share of the requests that are logged. Errors of the gateway always are.", 1),
    headers: s.array(s.string(), { description: "Headers of requests that are logged too.", maxItems: 64 }).optional(),
  },
  { description: "The access log, JSON lines.", default: {} },
);

/** What is counted. */
export const metricsSchema = s.object(
  {
    enabled: s.boolean({ description: "Whether there are metrics at the admin endpoint.", default: true }),
    perRoute: s.boolean({ description: "Whether routes are told apart: a series each.", default: false }),
  },
  { description: "Metrics for Prometheus.", default: {} },
);

/** Where spans go. */
export const tracingSchema = s.object(
  {
    enabled: s.boolean({ description: "Whether requests are traced.", default: false }),
    endpoint: s
      .string({
        description: "Where spans are sent, by OTLP over HTTP: http://collector:4318/v1/traces.",
        maxLength: 2048,
        rules: [
          {
            rule: "self.matches('^https?://[^/]+')",
            message: "write an address such as http://collector:4318/v1/traces",
          },
        ],
      })
      .optional(),
    sampleRate: share("Share of the requests that begin a trace. Traces that others began are followed.", 1),
    serviceName: s.string({ description: "Name of this service in traces. Default: the gateway's name." }).optional(),
  },
  {
    description: "Traces, as W3C has them.",
    default: {},
    rules: [{ rule: "!self.enabled || has(self.endpoint)", message: "write endpoint: where spans are sent" }],
  },
);

const peerTls = s.object(
  {
    enabled: s.boolean({ description: "Whether the connection is encrypted.", default: true }),
    caFile: file("File with the certificates that are trusted. Default: those of the system."),
    certFile: file("File with the gateway's certificate."),
    keyFile: file("File with its key."),
    serverName: s
      .string({ description: "Name that the operator's certificate must have. Default: the address." })
      .optional(),
    insecureSkipVerify: s.boolean({ description: "Trust any certificate. For tests only.", default: false }),
  },
  {
    description: "Encryption of the connection.",
    default: {},
    rules: [{ rule: "has(self.certFile) == has(self.keyFile)", message: "certFile and keyFile go together" }],
  },
);

/** The operator that is followed. */
export const operatorSchema = s
  .object(
    {
      address: s.string({
        description: "Where the operator is: operator.gatewright.svc:9444.",
        maxLength: 512,
        rules: [{ rule: "self.matches('^.+:[0-9]{1,5}$')", message: "write host:port" }],
      }),
      tls: peerTls,
      name: s.string({ description: "What the gateway calls itself. Default: its name.", minLength: 1 }).optional(),
      namespace: s.string({ description: "Where it says it is.", minLength: 1, default: "default" }),
      namespaces: s.array(s.string(), { description: "Whose objects it takes. Default: all." }).optional(),
    },
    { description: "The operator that the gateway has its objects from." },
  )
  .optional();

/** Where an operator may push objects to. */
export const configurationServerSchema = s
  .object(
    {
      address: s.string({ description: "Address to listen on.", minLength: 1, default: "127.0.0.1" }),
      port: port("Port to listen on. 0: any that is free."),
      tls: s
        .object(
          {
            certFile: s.string({ description: "File with the certificate.", minLength: 1 }),
            keyFile: s.string({ description: "File with its key.", minLength: 1 }),
            caFile: s.string({
              description: "File with the certificates that issue those of operators.",
              minLength: 1,
            }),
          },
          { description: "Encryption; callers must show a certificate." },
        )
        .optional(),
    },
    {
      description: "Takes objects that an operator pushes.",
      rules: [
        {
          rule: "has(self.tls) || self.address in ['127.0.0.1', '::1', 'localhost']",
          message: "write tls: whoever can push objects decides where requests go",
        },
      ],
    },
  )
  .optional();
