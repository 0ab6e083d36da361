import { Client, credentials } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { gatewayApi, grpcMethod, operatorApi } from "@gatewright/gateway-wire";

const SERVICE = gatewayApi.ConfigurationService;

/** Pushes objects to a gateway as an operator does. */
export class Pusher {
  readonly #client: Client;
  #version = 0;

  constructor(port: number) {
    this.#client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  }

  /** Rejects when the object is refused. */
  async route(name: string, spec: object): Promise<void> {
    const route = this.#resource(operatorApi.ResourceType.API_ROUTE, name, spec);
    const request = create(gatewayApi.ApplyAPIRouteRequestSchema, { route });
    judge(await this.#ask<gatewayApi.ApplyAPIRouteResponse>(SERVICE.method.applyAPIRoute, request));
  }

  async backend(name: string, spec: object): Promise<void> {
    const backend = this.#resource(operatorApi.ResourceType.BACKEND, name, spec);
    const request = create(gatewayApi.ApplyBackendRequestSchema, { backend });
    judge(await this.#ask<gatewayApi.ApplyBackendResponse>(SERVICE.method.applyBackend, request));
  }

  async removeRoute(name: string): Promise<void> {
    const request = create(gatewayApi.DeleteAPIRouteRequestSchema, { route: { namespace: "soak", name } });
    await this.#ask(SERVICE.method.deleteAPIRoute, request);
  }

  status(): Promise<gatewayApi.GetGatewayStatusResponse> {
    return this.#ask(SERVICE.method.getGatewayStatus, create(gatewayApi.GetGatewayStatusRequestSchema));
  }

  close(): void {
    this.#client.close();
  }

  #resource(type: operatorApi.ResourceType, name: string, spec: object): operatorApi.ConfigurationResource {
    const specJson = Buffer.from(JSON.stringify(spec));
    const resourceVersion = String(++this.#version);
    return create(operatorApi.ConfigurationResourceSchema, {
      type,
      name,
      namespace: "soak",
      specJson,
      resourceVersion,
    });
  }

  #ask<Response>(method: DescMethod, request: Message): Promise<Response> {
    const { path, requestSerialize, responseDeserialize } = grpcMethod(SERVICE, method);
    return new Promise((resolve, reject) =>
      this.#client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, answer) =>
        error === null ? resolve(answer as Response) : reject(error),
      ),
    );
  }
}

function judge({ outcome }: { readonly outcome?: gatewayApi.Outcome | undefined }): void {
  if (outcome?.applied !== true) throw new Error(`refused: ${JSON.stringify(outcome?.findings)}`);
}
