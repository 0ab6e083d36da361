export { decodeProtobuf, decodeProtobufAs, isProtobuf } from "./envelope.ts";
export type { DecodedProtobuf } from "./envelope.ts";
