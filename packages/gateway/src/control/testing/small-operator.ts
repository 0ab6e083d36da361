import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { ServerReadableStream, ServerUnaryCall, ServerWritableStream, sendUnaryData } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import { grpcService, operatorApi } from "@gatewright/gateway-wire";

/** The operator's side of the stream, as far as tests of the gateway's side need it. */
export class SmallOperator {
  readonly registrations: operatorApi.RegisterGatewayRequest[] = [];
  readonly streams: operatorApi.StreamConfigurationRequest[] = [];
  readonly acknowledged: operatorApi.AcknowledgeConfigurationRequest[] = [];
  readonly heartbeats: operatorApi.HeartbeatRequest[] = [];
  /** Those of `acknowledged` that came one after the other, by their versions. */
  readonly streamed: string[] = [];
  /** What registrations are answered with. */
  welcome: { success: boolean; errorMessage?: string; takesAcknowledgementStreams?: boolean } = { success: true };
  #server = new Server();
  #open: ServerWritableStream<unknown, unknown> | undefined;
  #endAcknowledgements = (): void => {};
  #waiting: (() => void)[] = [];

  /** Listens; 0: at any port. */
  async listen(credentials = ServerCredentials.createInsecure(), port = 0): Promise<number> {
    this.#server.addService(grpcService(operatorApi.ConfigurationService), {
      registerGateway: (call: Unary<operatorApi.RegisterGatewayRequest>, answer: sendUnaryData<unknown>) => {
        this.registrations.push(call.request);
        const sessionId = `session-${this.registrations.length}`;
        answer(null, create(operatorApi.RegisterGatewayResponseSchema, { sessionId, ...this.welcome }));
        this.#happened();
      },
      streamConfiguration: (stream: ServerWritableStream<operatorApi.StreamConfigurationRequest, unknown>) => {
        this.streams.push(stream.request);
        this.#open = stream;
        this.#happened();
      },
      acknowledgeConfiguration: (
        call: Unary<operatorApi.AcknowledgeConfigurationRequest>,
        answer: sendUnaryData<unknown>,
      ) => {
        this.acknowledged.push(call.request);
        answer(null, create(operatorApi.AcknowledgeConfigurationResponseSchema, { received: true }));
        this.#happened();
      },
      acknowledgeConfigurations: (
        call: ServerReadableStream<operatorApi.AcknowledgeConfigurationRequest, unknown>,
        answer: sendUnaryData<unknown>,
      ) => {
        this.#endAcknowledgements = () => answer(null, create(operatorApi.AcknowledgeConfigurationResponseSchema));
        call.on("data", (said: operatorApi.AcknowledgeConfigurationRequest) => {
          this.acknowledged.push(said);
          this.streamed.push(said.configVersion);
          this.#happened();
        });
      },
      heartbeat: (call: Unary<operatorApi.HeartbeatRequest>, answer: sendUnaryData<unknown>) => {
        this.heartbeats.push(call.request);
        answer(null, create(operatorApi.HeartbeatResponseSchema, { acknowledged: true }));
        this.#happened();
      },
      getConfiguration: (_: unknown, answer: sendUnaryData<unknown>) =>
        answer(null, create(operatorApi.ConfigurationSnapshotSchema)),
    });
    return new Promise((resolve, reject) =>
      this.#server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
  }

  send(update: Parameters<typeof create<typeof operatorApi.ConfigurationUpdateSchema>>[1]): void {
    this.#open?.write(create(operatorApi.ConfigurationUpdateSchema, update));
  }

  endStream(): void {
    this.#open?.end();
  }

  /** Takes no more acknowledgements one after the other. */
  endAcknowledgements(): void {
    this.#endAcknowledgements();
  }

  /** Resolves when this holds; looked at whenever a gateway says something. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  close(): void {
    this.#server.forceShutdown();
    this.#server = new Server();
  }

  #happened(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

type Unary<T> = ServerUnaryCall<T, unknown>;

/** A resource as operators send it. */
export function wireResource(
  type: operatorApi.ResourceType,
  name: string,
  spec: unknown = {},
  resourceVersion = "1",
): operatorApi.ConfigurationResource {
  const specJson = Buffer.from(JSON.stringify(spec));
  return create(operatorApi.ConfigurationResourceSchema, { type, name, namespace: "shop", specJson, resourceVersion });
}
