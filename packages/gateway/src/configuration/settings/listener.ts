import { s } from "@gatewright/kube/define";
import type { ReadOf } from "@gatewright/kube/define";
import { limitsOf, limitsSchema } from "./limits.ts";
import type { Limits } from "./limits.ts";

/** A certificate, and the names that it is shown for. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Lower-case names, `*.example.com` among them. Undefined: those of the certificate. */
  readonly hosts: readonly string[] | undefined;
}

export interface ListenerTls {
  /** At least one; the first is shown to clients that name nobody, or nobody known. */
  readonly certificates: readonly CertificateFiles[];
  readonly minVersion: "TLS12" | "TLS13";
  readonly maxVersion: "TLS12" | "TLS13";
  /** Undefined: those that are held safe. */
  readonly cipherSuites: readonly string[] | undefined;
  /** Undefined: clients are not asked for a certificate. */
  readonly clientAuth: { readonly mode: "request" | "require"; readonly caFile: string } | undefined;
}

/** Where the gateway is reached, and how. */
export interface ListenerSettings {
  readonly name: string;
  readonly address: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly protocol: "HTTP" | "HTTPS" | "GRPC" | "GRPCS";
  /** Lower-case names that are served here. Undefined: all. */
  readonly hosts: readonly string[] | undefined;
  readonly tls: ListenerTls | undefined;
  /** Whether connections begin with a PROXY header, which is then believed. */
  readonly proxyProtocol: boolean;
  readonly escapedSeparators: "refuse" | "pass";
  readonly mergeSlashes: boolean;
  readonly underscores: "refuse" | "drop" | "pass";
  readonly limits: Limits;
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
            hosts: hostnames("Names that it is shown for. Default: those in it."),
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
    proxyProtocol: s.boolean({
      description: "Whether a proxy in front says by a PROXY header who connects. Others are then refused.",
      default: false,
    }),
    escapedSeparators: s.string({
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
    limits: limitsSchema,
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
): ListenerSettings {
  const { name, port, protocol, proxyProtocol, escapedSeparators, mergeSlashes, underscores } = given;
  return {
    name,
    address: given.address ?? given.bind ?? "0.0.0.0",
    port,
    protocol,
    hosts: namesOf(given.hosts),
    tls: given.tls && tlsOf(given.tls, path),
    proxyProtocol,
    escapedSeparators,
    mergeSlashes,
    underscores,
    limits: limitsOf(given.limits, otherwise),
  };
}

function tlsOf(given: ReadOf<typeof tls>, path: (file: string) => string): ListenerTls {
  const { certFile = "", keyFile = "", clientAuth, minVersion, maxVersion, cipherSuites } = given;
  const files = given.certificates ?? [{ certFile, keyFile }];
  return {
    certificates: files.map((each) => ({
      certFile: path(each.certFile),
      keyFile: path(each.keyFile),
      hosts: "hosts" in each ? namesOf(each.hosts) : undefined,
    })),
    minVersion,
    maxVersion,
    cipherSuites,
    clientAuth:
      clientAuth === undefined || clientAuth.mode === "none"
        ? undefined
        : { mode: clientAuth.mode, caFile: path(clientAuth.caFile ?? "") },
  };
}

/** Names in their one form; undefined when they are all. */
function namesOf(hosts: readonly string[] | undefined): readonly string[] | undefined {
  if (hosts === undefined || hosts.length === 0 || hosts.includes("*")) return undefined;
  return hosts.map((name) => name.toLowerCase());
}
