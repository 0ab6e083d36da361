import { Client } from "@grpc/grpc-js";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { gatewayApi, grpcMethod } from "@gatewright/gateway-wire";
import type { Clock } from "@gatewright/ports";
import type { Deliverable } from "../model/deliverable.ts";
import { resourceOf } from "../stream/wire/resource-bytes.ts";
import type { GatewayCalls } from "./gateway-calls.ts";

const SERVICE = gatewayApi.ConfigurationService;
const { method } = SERVICE;
const CALL_MS = 10_000;

/** The calls, over the network. Each rejects with grpc's error. */
export class GrpcGatewayCalls implements GatewayCalls {
  readonly #client: Client;
  readonly #clock: Clock;

  constructor(address: string, credentials: ChannelCredentials, serverName: string | undefined, clock: Clock) {
    this.#clock = clock;
    this.#client = new Client(address, credentials, {
      "grpc.keepalive_time_ms": 30_000,
      "grpc.use_local_subchannel_pool": 1,
      "grpc.max_receive_message_length": 64 * 1024 * 1024,
      ...(serverName !== undefined && { "grpc.ssl_target_name_override": serverName }),
    });
  }

  status(signal: AbortSignal): Promise<gatewayApi.GetGatewayStatusResponse> {
    return this.#ask(method.getGatewayStatus, create(gatewayApi.GetGatewayStatusRequestSchema), signal);
  }

  async apply(deliverable: Deliverable, signal: AbortSignal): Promise<gatewayApi.Outcome | undefined> {
    const resource = resourceOf(deliverable);
    const [call, request] = ((): [DescMethod, Message] => {
      switch (deliverable.kind) {
        case "APIRoute":
          return [method.applyAPIRoute, create(gatewayApi.ApplyAPIRouteRequestSchema, { route: resource })];
        case "GRPCRoute":
          return [method.applyGRPCRoute, create(gatewayApi.ApplyGRPCRouteRequestSchema, { route: resource })];
        case "Backend":
          return [method.applyBackend, create(gatewayApi.ApplyBackendRequestSchema, { backend: resource })];
        default:
          return [method.applyGRPCBackend, create(gatewayApi.ApplyGRPCBackendRequestSchema, { backend: resource })];
      }
    })();
    const { outcome } = await this.#ask<{ outcome?: gatewayApi.Outcome }>(call, request, signal);
    return outcome;
  }

  async remove(
    { kind, namespace, name }: Pick<Deliverable, "kind" | "namespace" | "name">,
    signal: AbortSignal,
  ): Promise<void> {
    const object = { namespace, name };
    switch (kind) {
      case "APIRoute":
        await this.#ask(
          method.deleteAPIRoute,
          create(gatewayApi.DeleteAPIRouteRequestSchema, { route: object }),
          signal,
        );
        return;
      case "GRPCRoute":
        await this.#ask(
          method.deleteGRPCRoute,
          create(gatewayApi.DeleteGRPCRouteRequestSchema, { route: object }),
          signal,
        );
        return;
      case "Backend":
        await this.#ask(
          method.deleteBackend,
          create(gatewayApi.DeleteBackendRequestSchema, { backend: object }),
          signal,
        );
        return;
      default:
        await this.#ask(
          method.deleteGRPCBackend,
          create(gatewayApi.DeleteGRPCBackendRequestSchema, { backend: object }),
          signal,
        );
    }
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }

  #ask<Response>(asked: DescMethod, request: Message, signal: AbortSignal): Promise<Response> {
    const { path, requestSerialize, responseDeserialize } = grpcMethod(SERVICE, asked);
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const call = this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        (error, answer) => {
          forget();
          signal.removeEventListener("abort", stop);
          if (error === null) resolve(answer as Response);
          else reject(error);
        },
      );
      const stop = (): void => call.cancel();
      const forget = this.#clock.timer(CALL_MS, stop);
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}
