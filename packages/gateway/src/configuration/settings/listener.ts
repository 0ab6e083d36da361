import { s } from "@gatewright/kube/define";
import type { ReadOf } from "@gatewright/kube/define";
import type { ListenerSettings, ListenerTls } from "../../listeners/listener-settings.ts";
import { addressRange } from "./address-range.ts";
import { limitsOf, listenerLimitsSchema } from "./limits.ts";
import type { Limits } from "./limits.ts";

/** Where the gateway is reached, and how. */
export interface ConfiguredListener extends ListenerSettings {
  /** Lower-case names that are served here, `*.example.com` among them. Undefined: all. */
  readonly hosts: readonly string[] | undefined;
}

const hostname = s.string({
  minLength: 1,
  maxLength: 253,
  rules: [
    {
      rule: 'self.matches(r"^([*]|([*][.])?[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?([.][a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*)$")',
      message: "write a hostname such as api.example.com, *.example.com, or * for all; no scheme, no port",
    },
  ],
});
const hostnames = (description: string) => s.array(hostname, { description, maxItems: 1024 }).optional();
const file = (description: string) => s.string({ description, minLength: 1 });
const version = (description: string, fallback: "TLS12" | "TLS13") =>
  s.string<"TLS12" | "TLS13", "TLS12" | "TLS13">({ description, enum: ["TLS12", "TLS13"], default: fallback });

const tls = s
  .object(
    {
      certificates: s
        .array(
          s.object({
            certFile: file("File with the certificate and those that lead to its root."),
            keyFile: file("File with its key."),
            hosts: hostnames("Names that it is shown for, besides those in it."),
          }),
          { description: "Certificates. The first is for clients that ask for no known name.", minItems: 1 },
        )
        .optional(),
      certFile: file("The file of the only certificate.").optional(),
      keyFile: file("The file of its key.").optional(),
      minVersion: version("Lowest version that is spoken.", "TLS12"),
      maxVersion: version("Highest version that is spoken.", "TLS13"),
      cipherSuites: s.array(s.string(), { description: "Cipher suites, by OpenSSL's names.", minItems: 1 }).optional(),
      clientAuth: s
        .object(
          {
            mode: s.string({
              description: "request: clients may show a certificate. require: they must. none: they are not asked.",
              enum: ["none", "request", "require"],
              default: "require",
            }),
            caFile: file("File with the certificates that issue those of clients.").optional(),
          },
          {
            description: "Certificates of clients.",
            rules: [
              {
                rule: "self.mode == 'none' || has(self.caFile)",
                message: "write caFile: who issues clients' certificates",
              },
            ],
          },
        )
        .optional(),
    },
    {
      description: "Encryption.",
      rules: [
        {
          rule: "has(self.certificates) != (has(self.certFile) || has(self.keyFile)) && has(self.certFile) == has(self.keyFile)",
          message: "write certificates: [{certFile, keyFile}]",
        },
        {
          rule: "!(self.minVersion == 'TLS13' && self.maxVersion == 'TLS12')",
          message: "minVersion is at most maxVersion",
        },
      ],
    },
  )
  .optional();

/** A listener as settings have it. */
export const listenerSchema = s.object(
  {
    name: s.string({ description: "Name of the listener, unique here.", minLength: 1, maxLength: 63 }),
    address: s
      .string({ description: "Address to listen on. Default: 0.0.0.0.", minLength: 1, maxLength: 253 })
      .optional(),
    bind: s.string({ description: "An older name of address.", minLength: 1, maxLength: 253 }).optional(),
    port: s.integer({ description: "Port to listen on. 0: any that is free.", minimum: 0, maximum: 65_535 }),
    protocol: s.string({
      description: "What is spoken. HTTP and HTTPS take both versions of HTTP, and gRPC too.",
      enum: ["HTTP", "HTTPS", "GRPC", "GRPCS"],
      default: "HTTP",
    }),
    hosts: hostnames("Names that are served here. Default: all."),
    tls,
    proxyProtocol: s
      .object(
        {
          trusted: s.array(addressRange, {
            description: "Whose connections begin with a PROXY header, and have to.",
            minItems: 1,
            maxItems: 1024,
          }),
        },
        { description: "Proxies in front that say by a PROXY header who connects." },
      )
      .optional(),
    escapedSlashes: s.string({
      description: "Escaped slashes, backslashes and NULs in paths: refused, or passed on as they are.",
      enum: ["refuse", "pass"],
      default: "refuse",
    }),
    mergeSlashes: s.boolean({ description: "Whether several slashes in a row become one.", default: false }),
    underscores: s.string({
      description: "Headers with underscores in their names.",
      enum: ["refuse", "drop", "pass"],
      default: "drop",
    }),
    limits: listenerLimitsSchema,
  },
  {
    rules: [
      {
        rule: "has(self.tls) == (self.protocol in ['HTTPS', 'GRPCS'])",
        message: "protocols HTTPS and GRPCS need tls, and HTTP and GRPC have none",
      },
      {
        rule: "!(has(self.address) && has(self.bind))",
        message: "bind is an older name of address: write address only",
      },
    ],
  },
);

/** A listener as the gateway takes it. `path` makes names of files absolute. */
export function listenerOf(
  given: ReadOf<typeof listenerSchema>,
  otherwise: Limits,
  path: (file: string) => string,
): ConfiguredListener {
  const { name, port, protocol, proxyProtocol, escapedSlashes, mergeSlashes, underscores } = given;
  return {
    name,
    address: given.address ?? given.bind ?? "0.0.0.0",
    port,
    protocols: protocol === "GRPC" || protocol === "GRPCS" ? ["http2"] : undefined,
    hosts: namesOf(given.hosts),
    tls: given.tls && tlsOf(given.tls, path),
    proxyProtocol,
    escapedSlashes,
    mergeSlashes,
    underscores,
    ...connectionLimits(limitsOf(given.limits, otherwise)),
  };
}

function connectionLimits(
  limits: Limits,
): Pick<ListenerSettings, "maxConnections" | "maxConnectionsPerAddress" | "handshakeMs" | "http1" | "http2"> {
  const shared = {
    headBytes: limits.maxHeaderBytes,
    fields: limits.maxHeaders,
    targetBytes: limits.maxTargetBytes,
    idleMs: limits.keepAliveTimeoutMs,
    requests: limits.maxRequestsPerConnection,
    bytesPerSecond: limits.minBytesPerSecond,
  };
  return {
    maxConnections: limits.maxConnections === 0 ? Infinity : limits.maxConnections,
    maxConnectionsPerAddress: limits.maxConnectionsPerClient === 0 ? Infinity : limits.maxConnectionsPerClient,
    handshakeMs: limits.handshakeTimeoutMs,
    http1: {
      ...shared,
      headMs: limits.headerTimeoutMs,
      progressMs: limits.progressTimeoutMs,
      tunnelIdleMs: limits.idleTimeoutMs,
    },
    http2: { ...shared, concurrentStreams: limits.maxConcurrentStreams, stalledMs: limits.idleTimeoutMs },
  };
}

const VERSIONS = { TLS12: "TLSv1.2", TLS13: "TLSv1.3" } as const;
const MODES = { request: "optional", require: "required" } as const;

function tlsOf(given: ReadOf<typeof tls>, path: (file: string) => string): ListenerTls {
  const { certFile = "", keyFile = "", clientAuth, minVersion, maxVersion, cipherSuites } = given;
  const files: readonly { certFile: string; keyFile: string; hosts?: readonly string[] }[] = given.certificates ?? [
    { certFile, keyFile },
  ];
  return {
    certificates: files.map((each) => ({
      certFile: path(each.certFile),
      keyFile: path(each.keyFile),
      hosts: namesOf(each.hosts),
    })),
    minVersion: VERSIONS[minVersion],
    maxVersion: VERSIONS[maxVersion],
    ciphers: cipherSuites?.join(":"),
    clientCertificates:
      clientAuth === undefined || clientAuth.mode === "none"
        ? undefined
        : { mode: MODES[clientAuth.mode], caFile: path(clientAuth.caFile ?? "") },
  };
}

/** Names in their one form; undefined when they are all. */
function namesOf(hosts: readonly string[] | undefined): readonly string[] | undefined {
  if (hosts === undefined || hosts.length === 0 || hosts.includes("*")) return undefined;
  return hosts.map((name) => name.toLowerCase());
}
