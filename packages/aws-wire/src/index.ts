export { codecOf } from "./codec-of.ts";
export { MalformedError } from "./malformed-error.ts";
export type { OperationModel, ServiceModel, Shape, ShapeUse, StructureShape } from "./model.ts";
export { shapeOf } from "./model.ts";
export { loadModel } from "./service-models.ts";
export type { ServiceName } from "./service-models.ts";
export type { DecodedCall, ProtocolCodec, WireError, WireRequest, WireResponse } from "./wire.ts";
