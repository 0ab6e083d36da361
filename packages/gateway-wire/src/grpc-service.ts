import { create, fromBinary, isMessage, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, DescService, Message } from "@bufbuild/protobuf";
import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";

/**
 * A service as grpc-js wants it. What is sent is a message, or the fields of one, or bytes already: who tells many the same thing
 * encodes it once.
 */
export function grpcService(service: DescService): ServiceDefinition {
  return Object.fromEntries(service.methods.map((method) => [method.localName, grpcMethod(service, method)]));
}

/** One method as grpc-js wants it, with its types. */
export function grpcMethod<Request extends Message, Response extends Message>(
  service: DescService,
  method: DescMethod,
): MethodDefinition<Request | Uint8Array, Response | Uint8Array> {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming",
    responseStream: method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming",
    requestSerialize: (message) => encoded(method.input, message),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes) as Request,
    responseSerialize: (message) => encoded(method.output, message),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes) as Response,
  };
}

function encoded(schema: DescMessage, message: Message | Uint8Array): Buffer {
  const bytes = message instanceof Uint8Array ? message : toBinary(schema, asMessage(schema, message));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function asMessage(schema: DescMessage, given: Message): Message {
  return isMessage(given) ? given : create(schema, given);
}
