import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { ServerReadableStream, ServerUnaryCall, ServerWritableStream, sendUnaryData } from "@grpc/grpc-js";
import { create, toBinary } from "@bufbuild/protobuf";
import { grpcService, operatorApi } from "@gatewright/gateway-wire";
import { APIRoute } from "@gatewright/resources";
import { createHttpTransport, createManager } from "@gatewright/runtime";
import { answering, processorTime, sharedNow, usage } from "./child.ts";

/*
 * The peer: at each change every gateway is sent all there is. It is spared what ours does besides: TLS, admission, references,
 * examination, statuses; and it encodes a snapshot once for all gateways.
 */
const manager = createManager({ name: "naive", transport: createHttpTransport({ server: process.argv[2] ?? "" }) });
const routes = manager.cache.informer(APIRoute);
const streams = new Set<ServerWritableStream<unknown, unknown>>();
let sequence = 0n;
/** How many have not acknowledged the next change. */
let behind = 0;
let all = Promise.withResolvers<number>();

function snapshot(): Uint8Array {
  const apiRoutes = [...routes.list()].map(({ metadata, spec }) =>
    create(operatorApi.ConfigurationResourceSchema, {
      type: operatorApi.ResourceType.API_ROUTE,
      name: metadata.name ?? "",
      namespace: metadata.namespace ?? "",
      specJson: Buffer.from(JSON.stringify(spec)),
    }),
  );
  const update = create(operatorApi.ConfigurationUpdateSchema, {
    type: operatorApi.UpdateType.FULL_SYNC,
    version: String(++sequence),
    sequence,
    snapshot: create(operatorApi.ConfigurationSnapshotSchema, { apiRoutes, totalResources: apiRoutes.length }),
  });
  return toBinary(operatorApi.ConfigurationUpdateSchema, update);
}

type Done = sendUnaryData<unknown>;
const server = new Server({ "grpc.max_send_message_length": -1 });
server.addService(grpcService(operatorApi.ConfigurationService), {
  registerGateway: (_: ServerUnaryCall<unknown, unknown>, done: Done) =>
    done(null, create(operatorApi.RegisterGatewayResponseSchema, { success: true, sessionId: "one" })),
  streamConfiguration: (call: ServerWritableStream<unknown, unknown>) => {
    streams.add(call);
    call.on("cancelled", () => streams.delete(call));
    call.write(snapshot());
  },
  acknowledgeConfiguration: (_: ServerUnaryCall<unknown, unknown>, done: Done) => {
    done(null, create(operatorApi.AcknowledgeConfigurationResponseSchema, { received: true }));
    if (--behind === 0) all.resolve(sharedNow());
  },
  acknowledgeConfigurations: (_: ServerReadableStream<unknown, unknown>, done: Done) =>
    done({ code: 12, details: "not here" }),
  heartbeat: (_: ServerUnaryCall<unknown, unknown>, done: Done) =>
    done(null, create(operatorApi.HeartbeatResponseSchema)),
  getConfiguration: (_: ServerUnaryCall<unknown, unknown>, done: Done) => done({ code: 12, details: "not here" }),
});
const signal = new AbortController().signal;
void manager.run(signal);
await routes.whenSynced(signal);
let isDue = false;
routes.subscribe(({ type }) => {
  if (type === "resynced" || isDue) return;
  isDue = true;
  // Those that come together go together.
  setImmediate(() => {
    isDue = false;
    const bytes = snapshot();
    for (const stream of streams) stream.write(bytes);
  });
});
const port = await new Promise<number>((resolve, reject) =>
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
    error === null ? resolve(bound) : reject(error),
  ),
);
answering({
  usage,
  processorTime,
  expect() {
    all = Promise.withResolvers();
    behind = streams.size;
  },
  all: () => all.promise,
});
process.send?.({ port });
