export { decodeProtobuf, decodeProtobufAs } from "./envelope.ts";
export type { DecodedProtobuf } from "./envelope.ts";
export { WireReader } from "./wire.ts";
export { WireWriter } from "./wire-writer.ts";
