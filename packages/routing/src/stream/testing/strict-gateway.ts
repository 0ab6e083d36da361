import { Client, status as grpcStatus } from "@grpc/grpc-js";
import type { ChannelCredentials, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import type { Message } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { grpcMethod, operatorApi } from "@gatewright/gateway-wire";
import type { Clock } from "@gatewright/ports";
import { sleep, systemClock } from "@gatewright/ports";
import { StrictState } from "./strict-state.ts";

export interface StrictOptions {
  readonly address: () => string;
  readonly credentials: () => ChannelCredentials;
  readonly name: string;
  readonly namespace?: string;
  readonly namespaces?: readonly string[];
  readonly clock: Clock;
  /** Before each acknowledgement. */
  readonly hesitate?: () => Promise<void>;
}

const SERVICE = operatorApi.ConfigurationService;

/** A gateway of AVAPIGW, as an operator meets it: registers, follows, acknowledges each update, comes back with pauses that grow. */
export class StrictGateway {
  readonly state = new StrictState();
  readonly ends: string[] = [];
  updates = 0;
  ignored = 0;
  registrations = 0;
  /** What each full sync held. */
  fullSyncs = 0;
  readonly #options: StrictOptions;
  #client: Client | undefined;
  #session = "";
  #updates: ClientReadableStream<operatorApi.ConfigurationUpdate> | undefined;
  #isDropped = false;

  constructor(options: StrictOptions) {
    this.#options = options;
  }

  /** Until the signal aborts; or for good when a stream ends with CANCELLED, as the real one does. */
  async run(signal: AbortSignal): Promise<void> {
    let pause = 1000;
    while (!signal.aborted) {
      try {
        await this.#connected(signal);
        this.ends.push("OK");
        pause = 1000;
      } catch (error) {
        if (signal.aborted) return;
        const code = (error as ServiceError).code as number | undefined;
        this.ends.push(code === undefined ? String(error) : `${grpcStatus[code]}: ${(error as ServiceError).details}`);
        if (code === grpcStatus.CANCELLED && !this.#isDropped) {
          this.state.violations.push("the stream was cancelled: this gateway never comes back");
          return;
        }
      }
      await sleep(this.#options.clock, pause, signal).catch(() => {}); // the loop looks at the signal
      pause = Math.min(pause * 2, 30_000);
    }
  }

  /** Says that it lives, as often as the operator wants it. */
  async heartbeat(): Promise<operatorApi.HeartbeatResponse> {
    const request = create(operatorApi.HeartbeatRequestSchema, {
      sessionId: this.#session,
      gateway: this.#info(),
      lastAppliedVersion: this.state.version,
    });
    return this.#ask("heartbeat", request);
  }

  /** Loses the stream. */
  drop(): void {
    this.#isDropped = true;
    this.#updates?.cancel();
  }

  async #connected(signal: AbortSignal): Promise<void> {
    const { address, credentials, clock } = this.#options;
    const client = new Client(address(), credentials(), {
      "grpc.max_receive_message_length": 4 * 1024 * 1024,
      "grpc.use_local_subchannel_pool": 1,
    });
    this.#client = client;
    try {
      const registered = await this.#ask<operatorApi.RegisterGatewayResponse>(
        "registerGateway",
        create(operatorApi.RegisterGatewayRequestSchema, { gateway: this.#info() }),
      );
      this.registrations++;
      if (!registered.success) throw new Error(`refused: ${registered.errorMessage}`);
      const { heartbeatInterval, initialConfig, sessionId } = registered;
      if (heartbeatInterval !== undefined && durationMs(heartbeatInterval) <= 0)
        this.state.violations.push("a heartbeat interval of zero: this gateway ends");
      if (initialConfig !== undefined) this.state.violations.push("an initial configuration");
      this.#session = sessionId;
      this.state.registered(clock.monotonic());
      await this.#follow(client, signal);
    } finally {
      client.close();
    }
  }

  async #follow(client: Client, signal: AbortSignal): Promise<void> {
    const { path, requestSerialize, responseDeserialize } = grpcMethod<
      operatorApi.StreamConfigurationRequest,
      operatorApi.ConfigurationUpdate
    >(SERVICE, SERVICE.method.streamConfiguration);
    const request = create(operatorApi.StreamConfigurationRequestSchema, {
      sessionId: this.#session,
      gateway: this.#info(),
      lastConfigVersion: this.state.version,
      namespaces: [...(this.#options.namespaces ?? [])],
    });
    const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request);
    const updates = stream as ClientReadableStream<operatorApi.ConfigurationUpdate>;
    this.#updates = updates;
    this.#isDropped = false;
    const stop = (): void => updates.cancel();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      for await (const update of updates as AsyncIterable<operatorApi.ConfigurationUpdate>) await this.#take(update);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #take(update: operatorApi.ConfigurationUpdate): Promise<void> {
    this.updates++;
    if (update.type === operatorApi.UpdateType.FULL_SYNC) this.fullSyncs++;
    const { acknowledge, success, message, ignored } = this.state.process(update, this.#options.clock.monotonic());
    if (ignored) this.ignored++;
    if (!acknowledge) return;
    await this.#options.hesitate?.();
    const acknowledgement = create(operatorApi.AcknowledgeConfigurationRequestSchema, {
      sessionId: this.#session,
      gateway: this.#info(),
      configVersion: update.version,
      success,
      errorMessage: message,
    });
    await this.#ask("acknowledgeConfiguration", acknowledgement).catch(() => {}); // the stream shows what is wrong
  }

  #info(): operatorApi.GatewayInfo {
    const { name, namespace = "edge" } = this.#options;
    return create(operatorApi.GatewayInfoSchema, { name, namespace, version: "1.0.7" });
  }

  #ask<Response>(
    name: "registerGateway" | "heartbeat" | "acknowledgeConfiguration",
    request: Message,
  ): Promise<Response> {
    const { path, requestSerialize, responseDeserialize } = grpcMethod(SERVICE, SERVICE.method[name]);
    return new Promise((resolve, reject) =>
      this.#client?.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, within(), (error, answer) =>
        error === null ? resolve(answer as Response) : reject(error),
      ),
    );
  }
}

/** Real time: so that a test that waits in vain ends. */
function within(): { readonly deadline: number } {
  return { deadline: systemClock.now() + 5000 };
}
