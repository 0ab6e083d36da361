import { Client, credentials } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import type { Message } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { grpcMethod, operatorApi } from "@gatewright/gateway-wire";
import { answering, processorTime } from "./child.ts";

/*
 * Sessions of gateways, each on a socket of its own. They read of an update its version alone and acknowledge it at once: what gateways
 * do with updates is not measured.
 */
const [count, first, ways] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4] ?? "{}"];
const { port, authorities, certificate, key } = JSON.parse(ways) as Record<string, string | undefined>;
const SERVICE = operatorApi.ConfigurationService;
const VERSION = operatorApi.ConfigurationUpdateSchema.field.version.number;
const LAST = operatorApi.ConfigurationUpdateSchema.field.isLastInBatch.number;

type Acknowledgement = operatorApi.AcknowledgeConfigurationRequest;
type Acknowledge = (acknowledgement: Acknowledgement) => void;

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

/** Resolves when it has all there is. */
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
  const registered = await ask<operatorApi.RegisterGatewayResponse>("registerGateway", request);
  const { sessionId } = registered;
  const acknowledge: Acknowledge = registered.takesAcknowledgementStreams
    ? acknowledgementStream(client)
    : (said) => void ask("acknowledgeConfiguration", said);
  const { path, requestSerialize } = grpcMethod(SERVICE, SERVICE.method.streamConfiguration);
  const stream = client.makeServerStreamRequest(
    path,
    requestSerialize,
    readUpdate,
    create(operatorApi.StreamConfigurationRequestSchema, { sessionId, gateway: info, takesBatches: true }),
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.on("data", ({ version, isLast }: Update) => {
    acknowledge(
      create(operatorApi.AcknowledgeConfigurationRequestSchema, { sessionId, configVersion: version, success: true }),
    );
    if (isLast || certificate === undefined) resolve();
  });
  stream.on("error", (error) => {
    // Whoever is gone is not measured.
    console.error(`gateway ${number}: ${error.message}`);
    process.exit(1);
  });
  await promise;
}

/** As our gateways do it. */
function acknowledgementStream(client: Client): Acknowledge {
  const { path, requestSerialize, responseDeserialize } = grpcMethod(SERVICE, SERVICE.method.acknowledgeConfigurations);
  const call = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, () => {});
  return (said) => void call.write(said);
}

/** Few at a time: what is measured is not how they come. */
const WIDTH = 16;
for (let next = 0; next < count; next += WIDTH)
  await Promise.all(Array.from({ length: Math.min(WIDTH, count - next) }, (_, more) => gateway(first + next + more)));
answering({ processorTime });
process.send?.({});
