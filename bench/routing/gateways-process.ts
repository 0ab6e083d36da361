import { Client, credentials } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import type { Message } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { grpcMethod, operatorApi } from "@gatewright/gateway-wire";
import { answering, sharedNow } from "./child.ts";

/*
 * Sessions of gateways, each on a socket of its own. They read of an update its version alone, acknowledge it at once, and count when
 * the operator has answered that: what gateways do with updates is not measured.
 */
const [count, first, ways] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4] ?? "{}"];
const { port, authorities, certificate, key } = JSON.parse(ways) as Record<string, string | undefined>;
const SERVICE = operatorApi.ConfigurationService;
const VERSION = operatorApi.ConfigurationUpdateSchema.field.version.number;
const LAST = operatorApi.ConfigurationUpdateSchema.field.isLastInBatch.number;

/** Which gateways have acknowledged something since it was last asked. */
const had = new Set<number>();
let allHad = Promise.withResolvers<number>();

interface Update {
  readonly version: string;
  readonly isLast: boolean;
}

function readUpdate(bytes: Buffer): Update {
  const reader = new BinaryReader(bytes);
  let [version, isLast] = ["", false];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === VERSION) version = reader.string();
    else if (field === LAST) isLast = reader.bool();
    else reader.skip(type, field);
  }
  return { version, isLast };
}

async function gateway(number: number): Promise<void> {
  const way =
    certificate === undefined
      ? credentials.createInsecure()
      : credentials.createSsl(Buffer.from(authorities ?? ""), Buffer.from(key ?? ""), Buffer.from(certificate));
  const client = new Client(`localhost:${port}`, way, {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.max_receive_message_length": -1,
  });
  const ask = <T>(name: "registerGateway" | "acknowledgeConfiguration", request: Message): Promise<T> => {
    const { path, requestSerialize, responseDeserialize } = grpcMethod(SERVICE, SERVICE.method[name]);
    return new Promise((resolve, reject) =>
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, answer) =>
        error === null ? resolve(answer as T) : reject(error),
      ),
    );
  };
  const info = create(operatorApi.GatewayInfoSchema, {
    name: `gateway-${number}`,
    namespace: "edge",
    version: "bench",
  });
  const request = create(operatorApi.RegisterGatewayRequestSchema, { gateway: info });
  const { sessionId } = await ask<operatorApi.RegisterGatewayResponse>("registerGateway", request);
  const { path, requestSerialize } = grpcMethod(SERVICE, SERVICE.method.streamConfiguration);
  const stream = client.makeServerStreamRequest(
    path,
    requestSerialize,
    readUpdate,
    create(operatorApi.StreamConfigurationRequestSchema, { sessionId, gateway: info, takesBatches: true }),
  );
  stream.on("data", ({ version, isLast }: Update) => {
    const acknowledgement = create(operatorApi.AcknowledgeConfigurationRequestSchema, {
      sessionId,
      gateway: info,
      configVersion: version,
      success: true,
    });
    void ask("acknowledgeConfiguration", acknowledgement).then(() => {
      if (!isLast && certificate !== undefined) return;
      had.add(number);
      if (had.size === count) allHad.resolve(sharedNow());
    });
  });
  stream.on("error", (error) => console.error(`gateway ${number}: ${error.message}`));
}

/** Few at a time: what is measured is not how they come. */
const WIDTH = 16;
for (let next = 0; next < count; next += WIDTH)
  await Promise.all(Array.from({ length: Math.min(WIDTH, count - next) }, (_, more) => gateway(first + next + more)));
await allHad.promise;
answering({
  /** Begins to count anew. */
  expect() {
    had.clear();
    allHad = Promise.withResolvers();
  },
  /** When all had acknowledged something. */
  all: () => allHad.promise,
});
process.send?.({});
