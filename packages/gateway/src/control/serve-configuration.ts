import { Server, status as grpcStatus } from "@grpc/grpc-js";
import type { ServerCredentials, UntypedServiceImplementation, handleUnaryCall } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import { gatewayApi, grpcService } from "@gatewright/gateway-wire";
import type { operatorApi } from "@gatewright/gateway-wire";
import type { ObjectKind } from "../configuration/objects.ts";
import type { ConfigurationTarget, ObjectName } from "../configuration/target.ts";
import type { GatewayIdentity, GatewayNumbers } from "./gateway-status.ts";
import { wireIdentity, wireStatus } from "./gateway-status.ts";
import { namedObject, objectOf, typeOf, wireFinding } from "./resource-objects.ts";

export interface ServeOptions {
  readonly address: string;
  readonly port: number;
  /** With client certificates required, outside tests. */
  readonly credentials: ServerCredentials;
  readonly target: ConfigurationTarget;
  /** Resolves when what the target was given so far serves everywhere: answers wait for it. Default: at once. */
  readonly everywhere?: () => Promise<void>;
  readonly identity: GatewayIdentity;
  readonly numbers: () => GatewayNumbers;
}

/** A service that takes configuration. */
export interface ConfigurationServer {
  readonly port: number;
  close(): void;
}

/** Which kinds have calls of their own, by the name in the calls. */
const KINDS: readonly (readonly [call: string, kind: ObjectKind, field: "route" | "backend"])[] = [
  ["APIRoute", "APIRoute", "route"],
  ["GRPCRoute", "GRPCRoute", "route"],
  ["Backend", "Backend", "backend"],
  ["GRPCBackend", "GRPCBackend", "backend"],
];

/** Serves the calls by which an operator pushes objects, one each, answered when it is live. */
export async function serveConfiguration(options: ServeOptions): Promise<ConfigurationServer> {
  const server = new Server({ "grpc.max_receive_message_length": 4 * 1024 * 1024 });
  server.addService(grpcService(gatewayApi.ConfigurationService), implementation(options));
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`${options.address}:${options.port}`, options.credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { port, close: () => server.forceShutdown() };
}

function implementation(options: ServeOptions): UntypedServiceImplementation {
  const remarked = new Set<string>();
  const calls = new Map<string, handleUnaryCall<unknown, unknown>>();
  for (const [call, kind, field] of KINDS) {
    calls.set(`apply${call}`, ({ request }, answer) => {
      const resource = (request as Readonly<Record<string, operatorApi.ConfigurationResource | undefined>>)[field];
      const read = resource === undefined ? { refused: `${field} is missing` } : objectOf(resource, kind);
      if ("refused" in read) {
        answer({ code: grpcStatus.INVALID_ARGUMENT, details: read.refused });
        return;
      }
      const findings = options.target.change([read], []);
      if (findings.length > 0) remarked.add(keyOf(read));
      else remarked.delete(keyOf(read));
      const applied = !findings.some(({ severity }) => severity === "error");
      const outcome = { applied, findings: findings.map(wireFinding) };
      whenEverywhere(options, () => answer(null, { outcome: create(gatewayApi.OutcomeSchema, outcome) }));
    });
    calls.set(`delete${call}`, ({ request }, answer) => {
      const name = (request as Readonly<Record<string, gatewayApi.ObjectName | undefined>>)[field];
      const named = name === undefined ? undefined : namedObject(name);
      if (named === undefined) {
        answer({ code: grpcStatus.INVALID_ARGUMENT, details: `${field} needs a name` });
        return;
      }
      const deleted = options.target
        .held()
        .some((held) => held.kind === kind && held.namespace === named.namespace && held.name === named.name);
      options.target.change([], [{ kind, ...named }]);
      remarked.delete(keyOf({ kind, ...named }));
      whenEverywhere(options, () => answer(null, { deleted }));
    });
  }
  calls.set("getGatewayStatus", (_, answer) => answer(null, statusOf(options, remarked)));
  return Object.fromEntries(calls);
}

function whenEverywhere({ everywhere = () => Promise.resolve() }: ServeOptions, then: () => void): void {
  void everywhere().then(then);
}

/** What is held is told by its version; without one what there was something to say of, so that whoever asks gives it again and hears it. */
function statusOf(
  { identity, numbers, target }: ServeOptions,
  remarked: ReadonlySet<string>,
): gatewayApi.GetGatewayStatusResponse {
  const status = wireStatus(numbers());
  return create(gatewayApi.GetGatewayStatusResponseSchema, {
    gateway: wireIdentity(identity),
    status,
    objects: target.held().map((held) => {
      const { kind, namespace, name, version } = held;
      const resourceVersion = remarked.has(keyOf(held)) ? "" : version;
      return create(gatewayApi.HeldObjectSchema, { type: typeOf(kind), namespace, name, resourceVersion });
    }),
    ...(status.uptime !== undefined && { uptime: status.uptime }),
  });
}

function keyOf({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace}/${name}`;
}
