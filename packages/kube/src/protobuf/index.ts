export { decodeProtobuf, decodeProtobufAs } from "./envelope.ts";
export type { DecodedProtobuf } from "./envelope.ts";
