import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { deepClone, formatFieldError, getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { s } from "@gatewright/kube/define";
import type { ReadOf } from "@gatewright/kube/define";
import { compileSchema } from "@gatewright/kube/schema";
import type { ObjectSchema } from "@gatewright/kube/schema";
import { addressRange } from "./address-range.ts";
import { DEFAULT_LIMITS, limitsOf, limitsSchema } from "./limits.ts";
import type { Limits } from "./limits.ts";
import { listenerOf, listenerSchema } from "./listener.ts";
import type { ConfiguredListener } from "./listener.ts";
import { SettingsError } from "./settings-error.ts";
import {
  accessLogSchema,
  adminSchema,
  configurationServerSchema,
  metricsSchema,
  operatorSchema,
  tracingSchema,
} from "./surroundings.ts";

/** What a gateway is started with: everything that is not an object. Names of files are absolute. */
export interface GatewaySettings {
  readonly name: string;
  readonly listeners: readonly ConfiguredListener[];
  /** Addresses and CIDRs of proxies that are believed about whom they speak for. */
  readonly trustedProxies: readonly string[];
  readonly limits: Limits;
  readonly admin: ReadOf<typeof adminSchema> & { readonly port: number };
  readonly accessLog: ReadOf<typeof accessLogSchema>;
  readonly metrics: ReadOf<typeof metricsSchema>;
  readonly tracing: ReadOf<typeof tracingSchema> & { readonly serviceName: string };
  readonly operator: (ReadOf<typeof operatorSchema> & { readonly name: string }) | undefined;
  readonly configurationServer: ReadOf<typeof configurationServerSchema> | undefined;
  /** How many threads serve. */
  readonly workers: number;
  readonly destinations: { readonly allowLinkLocal: boolean };
  readonly files: { readonly allowDirectories: readonly string[] };
  /** Where GraphQL requests come in that no route says the path of. */
  readonly graphqlPath: string;
  /** File with the secret of sticky cookies, the same for gateways that share clients. Undefined: one of this process. */
  readonly stickySecretFile: string | undefined;
  /** Where the last good objects are kept. Undefined: nowhere. */
  readonly stateDirectory: string | undefined;
  /** Files and directories with objects. */
  readonly objects: readonly string[];
}

const inline = (kind: string) =>
  s.array(s.anyObject(), { description: `${kind} objects: specs with a name.` }).optional();

const spec = s.object({
  listeners: s.array(listenerSchema, {
    description: "Where the gateway is reached.",
    minItems: 1,
    maxItems: 64,
    rules: [
      {
        rule: "self.all(a, self.exists_one(b, b.name == a.name))",
        message: "each listener has a name of its own",
      },
    ],
  }),
  trustedProxies: s
    .array(addressRange, {
      description: "Proxies in front that are believed about whom they speak for.",
      maxItems: 1024,
    })
    .optional(),
  limits: limitsSchema,
  admin: adminSchema,
  accessLog: accessLogSchema,
  metrics: metricsSchema,
  tracing: tracingSchema,
  operator: operatorSchema,
  configurationServer: configurationServerSchema,
  workers: s
    .intOrString({
      description: "How many threads serve, or auto: one for each core. Default: 1.",
      pattern: "^auto$",
    })
    .optional(),
  destinations: s.object(
    {
      allowLinkLocal: s.boolean({
        description: "Whether link-local addresses, such as those of metadata services, may be dialled.",
        default: false,
      }),
    },
    { description: "Where the gateway may connect to.", default: {} },
  ),
  files: s.object(
    {
      allowDirectories: s
        .array(s.string({ minLength: 1 }), {
          description:
            "Directories whose files objects of the operator and of pushes may name. Objects in files may name any. Default: none.",
          maxItems: 64,
        })
        .optional(),
    },
    { description: "Which files of this machine objects may name.", default: {} },
  ),
  graphql: s
    .object({
      path: s.string({ description: "Where GraphQL requests come in.", minLength: 1, default: "/graphql" }),
    })
    .optional(),
  stickySecretFile: s.string({ description: "File with the secret of sticky cookies.", minLength: 1 }).optional(),
  stateDirectory: s.string({ description: "Where the last good objects are kept.", minLength: 1 }).optional(),
  objects: s
    .array(s.string({ minLength: 1 }), {
      description: "Files with objects, and directories of such files. Names are relative to this file.",
      maxItems: 1024,
    })
    .optional(),
  routes: inline("APIRoute"),
  grpcRoutes: inline("GRPCRoute"),
  graphqlRoutes: inline("GraphQLRoute"),
  backends: inline("Backend"),
  grpcBackends: inline("GRPCBackend"),
  graphqlBackends: inline("GraphQLBackend"),
});

/** The schema of `spec`, for its reference. */
export const SETTINGS_SCHEMA: JsonObject = spec.json;

let compiled: ObjectSchema | undefined;

/** Settings that were read, with what does nothing in them. */
export interface ReadSettings {
  readonly settings: GatewaySettings;
  readonly warnings: readonly string[];
}

/** Whether a document holds a gateway's settings, good or bad. */
export function isSettings(document: Json): document is JsonObject {
  return isObject(document) && String(document["apiVersion"]).startsWith("gateway.avapigw.io/");
}

/** Reads settings. `file` is where they are from: names of files in them are relative to it. Throws {@link SettingsError}. */
export function readSettings(document: Json, file: string): ReadSettings {
  if (!isSettings(document) || document["kind"] !== "Gateway") {
    throw new SettingsError(file, ["write apiVersion: gateway.avapigw.io/v1 and kind: Gateway"]);
  }
  const name = getPath(document, "metadata", "name");
  if (typeof name !== "string" || name === "") throw new SettingsError(file, ["metadata.name: write a name"]);
  const schema = (compiled ??= compileSchema({ type: "object", required: ["spec"], properties: { spec: spec.json } }));
  const object: JsonObject = { spec: deepClone(document["spec"] ?? null) };
  const warnings = schema.prune(object).map((field) => `${field} is not known and does nothing`);
  schema.applyDefaults(object);
  const problems = schema.validate(object).map(formatFieldError);
  if (problems.length > 0) throw new SettingsError(file, problems);
  return { settings: settingsOf(name, object["spec"] as ReadOf<typeof spec>, dirname(file)), warnings };
}

function settingsOf(name: string, given: ReadOf<typeof spec>, folder: string): GatewaySettings {
  const path = (file: string): string => resolve(folder, file);
  const limits = limitsOf(given.limits, DEFAULT_LIMITS);
  const { operator, configurationServer, accessLog } = given;
  return {
    name,
    listeners: given.listeners.map((listener) => listenerOf(listener, limits, path)),
    trustedProxies: given.trustedProxies ?? [],
    limits,
    admin: { ...given.admin, port: given.admin.port ?? 9090 },
    accessLog: withPaths(accessLog, ["file"], path),
    metrics: given.metrics,
    tracing: { ...given.tracing, serviceName: given.tracing.serviceName ?? name },
    operator: operator && { ...operator, name: operator.name ?? name, tls: withPaths(operator.tls, PEM, path) },
    configurationServer: configurationServer && {
      ...configurationServer,
      ...(configurationServer.tls && { tls: withPaths(configurationServer.tls, PEM, path) }),
    },
    workers: workersOf(given.workers),
    destinations: given.destinations,
    files: { allowDirectories: (given.files.allowDirectories ?? []).map(path) },
    graphqlPath: given.graphql?.path ?? "/graphql",
    stickySecretFile: given.stickySecretFile && path(given.stickySecretFile),
    stateDirectory: given.stateDirectory && path(given.stateDirectory),
    objects: (given.objects ?? []).map(path),
  };
}

const PEM = ["caFile", "certFile", "keyFile"] as const;

function withPaths<T extends object>(block: T, names: readonly (keyof T)[], path: (file: string) => string): T {
  const copy = { ...block };
  for (const name of names) {
    const file = copy[name];
    if (typeof file === "string") copy[name] = path(file) as T[typeof name];
  }
  return copy;
}

function workersOf(given: number | string | undefined): number {
  if (given === "auto") return availableParallelism();
  return typeof given === "number" ? Math.max(1, given) : 1;
}
