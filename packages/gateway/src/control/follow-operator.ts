import { Client, status as grpcStatus } from "@grpc/grpc-js";
import type { ChannelCredentials, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import type { Message } from "@bufbuild/protobuf";
import { durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
import type { Clock, Random } from "@gatewright/ports";
import { sleep } from "@gatewright/ports";
import { grpcMethod, operatorApi } from "@gatewright/gateway-wire";
import type { ConfigurationTarget } from "../configuration/target.ts";
import type { GatewayIdentity, GatewayNumbers } from "./gateway-status.ts";
import { wireIdentity, wireStatus } from "./gateway-status.ts";
import { acknowledgementStream } from "./acknowledgements.ts";
import type { AcknowledgementStream } from "./acknowledgements.ts";
import { wireFinding } from "./resource-objects.ts";
import { UpdateMachine } from "./update-machine.ts";
import type { Applied } from "./update-machine.ts";

export interface FollowOptions {
  /** `operator.gatewright.svc:9444`. */
  readonly address: string;
  readonly identity: GatewayIdentity;
  /** Only objects of these; none: of all. */
  readonly namespaces: readonly string[];
  /** Asked for each connection anew, so that rotated certificates take effect. */
  readonly credentials: () => Promise<ChannelCredentials>;
  readonly target: ConfigurationTarget;
  /** Resolves when what the target was given so far serves everywhere: acknowledgements wait for it. Default: at once. */
  readonly everywhere?: () => Promise<void>;
  /** The name that the operator's certificate must have. Default: that of the address. */
  readonly serverName?: string | undefined;
  readonly numbers: () => GatewayNumbers;
  /** Told when the operator has taken the gateway in, and when that has ended. Default: nobody is. */
  readonly following?: (isFollowing: boolean) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Readonly<Record<string, unknown>>) => void;
}

const SERVICE = operatorApi.ConfigurationService;
const REGISTER_MS = 10_000;
const ACKNOWLEDGE_MS = 10_000;
const HEARTBEAT_MS = 30_000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 30_000];
/** A session that lasted this long was a good one: the next pause is short again. */
const GOOD_SESSION_MS = 60_000;

/** Follows an operator until the signal aborts: registers, takes updates, acknowledges them, and starts anew whenever that ends. */
export async function followOperator(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { clock, random, log, address } = options;
  const machine = new UpdateMachine(options.target);
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const began = clock.monotonic();
    try {
      await session(options, machine, signal);
      log("info", "The operator ended the stream", { address });
    } catch (error) {
      if (signal.aborted) return;
      log("warn", "The operator cannot be followed; trying again", { address, problem: problemOf(error) });
    }
    if (clock.monotonic() - began > GOOD_SESSION_MS) pause = FIRST_PAUSE_MS;
    const jittered = pause * (0.75 + (random.bytes(1)[0] ?? 0) / 512);
    await sleep(clock, jittered, signal).catch(() => {}); // the loop looks at the signal
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/** One connection: until the stream ends, or the signal aborts. */
async function session(options: FollowOptions, machine: UpdateMachine, signal: AbortSignal): Promise<void> {
  const { clock, identity, namespaces, log } = options;
  const client = new Client(options.address, await options.credentials(), {
    "grpc.keepalive_time_ms": 10_000,
    "grpc.keepalive_timeout_ms": 5000,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.max_receive_message_length": 64 * 1024 * 1024,
    ...(options.serverName !== undefined && { "grpc.ssl_target_name_override": options.serverName }),
  });
  const gateway = wireIdentity(identity);
  let stopHeartbeats = (): void => {};
  try {
    const registered = await unary<operatorApi.RegisterGatewayResponse>(
      client,
      "registerGateway",
      create(operatorApi.RegisterGatewayRequestSchema, { gateway, capabilities: CAPABILITIES }),
      REGISTER_MS,
      options,
    );
    if (!registered.success) throw new Error(`the operator refused the registration: ${registered.errorMessage}`);
    machine.registered(clock.monotonic());
    const { sessionId } = registered;
    const asked = registered.heartbeatInterval === undefined ? 0 : durationMs(registered.heartbeatInterval);
    stopHeartbeats = heartbeats(client, options, machine, gateway, sessionId, asked > 0 ? asked : HEARTBEAT_MS);
    if (registered.initialConfig !== undefined) {
      const { version } = registered.initialConfig;
      const type = operatorApi.UpdateType.FULL_SYNC;
      machine.apply(
        create(operatorApi.ConfigurationUpdateSchema, { type, version, snapshot: registered.initialConfig }),
        clock.monotonic(),
      );
    }
    log("info", "Registered with the operator", { address: options.address, session: sessionId });
    options.following?.(true);
    const request = create(operatorApi.StreamConfigurationRequestSchema, {
      sessionId,
      gateway,
      lastConfigVersion: machine.version,
      namespaces: [...namespaces],
      takesBatches: true,
      held: machine.held(),
    });
    await follow(client, request, registered, options, machine, signal);
  } finally {
    options.following?.(false);
    stopHeartbeats();
    client.close();
  }
}

const CAPABILITIES = create(operatorApi.GatewayCapabilitiesSchema, {
  httpRoutes: true,
  grpcRoutes: true,
  websocket: true,
  tlsTermination: true,
  mtls: true,
  rateLimiting: true,
  circuitBreaker: true,
  caching: true,
});

/** Takes updates in their order until the stream ends. */
async function follow(
  client: Client,
  request: operatorApi.StreamConfigurationRequest,
  { takesAcknowledgementStreams }: operatorApi.RegisterGatewayResponse,
  options: FollowOptions,
  machine: UpdateMachine,
  signal: AbortSignal,
): Promise<void> {
  const method = grpcMethod<operatorApi.StreamConfigurationRequest, operatorApi.ConfigurationUpdate>(
    SERVICE,
    SERVICE.method.streamConfiguration,
  );
  const { path, requestSerialize, responseDeserialize } = method;
  const stream = client.makeServerStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    request,
  ) as ClientReadableStream<operatorApi.ConfigurationUpdate>;
  const stop = (): void => stream.cancel();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  let forgetLate = (): void => {};
  let acknowledgements: AcknowledgementStream | undefined;
  const take = (update: operatorApi.ConfigurationUpdate): void => {
    forgetLate();
    const began = options.clock.monotonic();
    const result = machine.apply(update, began);
    if ("ignored" in result) {
      options.log("warn", "An update was ignored", { version: update.version, why: result.ignored });
    } else if ("late" in result) {
      options.log("warn", "A snapshot with fewer objects waits: the operator may still be starting", {
        ms: Math.ceil(result.late),
      });
      forgetLate = options.clock.timer(result.late, () => take(update));
    } else {
      void told(result.applied, began);
    }
  };
  const told = async ({ version, success, message, findings }: Applied, began: number): Promise<void> => {
    await options.everywhere?.();
    if (!success) options.log("error", "Some objects were refused", { version, problems: message });
    const acknowledgement = create(operatorApi.AcknowledgeConfigurationRequestSchema, {
      sessionId: request.sessionId,
      ...(acknowledgements === undefined && request.gateway !== undefined && { gateway: request.gateway }),
      configVersion: version,
      success,
      errorMessage: message,
      applyDuration: durationFromMs(Math.round(options.clock.monotonic() - began)),
      findings: findings.map(wireFinding),
    });
    if (acknowledgements === undefined) {
      unary(client, "acknowledgeConfiguration", acknowledgement, ACKNOWLEDGE_MS, options).catch((error: unknown) =>
        options.log("warn", "An acknowledgement was not taken", { version, problem: problemOf(error) }),
      );
    } else acknowledgements.tell(acknowledgement);
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const failed = (error: Error): void => (signal.aborted ? resolve() : reject(error));
      if (takesAcknowledgementStreams) acknowledgements = acknowledgementStream(client, failed);
      stream.on("data", take);
      stream.on("end", resolve);
      stream.on("error", failed);
    });
  } finally {
    forgetLate();
    acknowledgements?.end();
    signal.removeEventListener("abort", stop);
    stream.cancel();
  }
}

/** Says again and again that this gateway lives. Who does not hear it, or has forgotten it, shows in the stream. */
function heartbeats(
  client: Client,
  options: FollowOptions,
  machine: UpdateMachine,
  gateway: operatorApi.GatewayInfo,
  sessionId: string,
  everyMs: number,
): () => void {
  const { clock, log } = options;
  let cancel = (): void => {};
  const beat = (): void => {
    const status = wireStatus(options.numbers());
    const request = create(operatorApi.HeartbeatRequestSchema, {
      sessionId,
      gateway,
      status,
      lastAppliedVersion: machine.version,
    });
    unary(client, "heartbeat", request, everyMs, options).catch((error: unknown) =>
      log("warn", "A heartbeat was not heard", { problem: problemOf(error) }),
    );
    cancel = clock.timer(everyMs, beat);
  };
  cancel = clock.timer(everyMs, beat);
  return () => cancel();
}

/** One call with one answer, within a time. */
function unary<Response>(
  client: Client,
  name: "registerGateway" | "acknowledgeConfiguration" | "heartbeat",
  request: Message,
  withinMs: number,
  { clock }: FollowOptions,
): Promise<Response> {
  const { path, requestSerialize, responseDeserialize } = grpcMethod(SERVICE, SERVICE.method[name]);
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const call = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, answer) => {
    cancel();
    if (error !== null) reject(error);
    else resolve(answer as Response);
  });
  const cancel = clock.timer(withinMs, () => call.cancel());
  return promise;
}

function problemOf(error: unknown): string {
  const code = (error as ServiceError | undefined)?.code;
  const text = error instanceof Error ? error.message : String(error);
  return code === undefined ? text : `${grpcStatus[code] ?? code}: ${text}`;
}
