import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import type { DescMessage, FileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { Answer } from "../../exchange/answer.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { closedFilter } from "../closed-filter.ts";
import { GrpcMessageError, checkedMessages } from "./grpc-messages.ts";

/** `protoValidation` of a GRPCRoute. */
export interface ProtoSpec {
  readonly enabled?: boolean;
  readonly descriptorFile?: string;
  /** A FileDescriptorSet in base64, with everything that it imports. */
  readonly descriptorInline?: string;
  /** False: what does not fit is noted in the log and let through. */
  readonly failOnError?: boolean;
  readonly validateRequestMessage?: boolean;
}

const FIELD = "spec.protoValidation";

/**
 * Checks the messages of clients against their descriptors, one by one as they come: they have to be messages of the method's type,
 * without fields that the type does not have. A method that is not described is not implemented. Descriptors that cannot be read close
 * the route.
 */
export function protoFilter(
  spec: ProtoSpec,
  around: Pick<Around, "note"> & { readonly readBytes: (path: string) => Uint8Array },
): Filter | undefined {
  if (spec.enabled !== true) return undefined;
  const registry = registryOf(spec, around);
  if (registry === undefined) return closedFilter("protoValidation");
  const refuses = spec.failOnError !== false;
  const checksMessages = spec.validateRequestMessage !== false;
  const refusals = new WeakMap<Call, Answer>();
  return {
    name: "protoValidation",
    request(call) {
      const input = inputOf(registry, call.path);
      if (input === undefined) {
        if (refuses) return localAnswer(404, "not_described", "this method is not described");
        call.trail.flag = "invalid_request";
        return undefined;
      }
      if (!checksMessages || call.body === undefined) return undefined;
      call.body = checkedMessages(call.body, call.head.fields.get("grpc-encoding"), strict(input), (error) => {
        if (refuses) refusals.set(call, localAnswer(400, "not_as_described", error.message));
        else call.trail.flag = "invalid_request";
        return refuses;
      });
      return undefined;
    },
    response(call, answer) {
      const refusal = refusals.get(call);
      if (refusal === undefined || answer.origin === undefined) return answer;
      answer.body?.cancel();
      return refusal;
    },
  };
}

function registryOf(
  spec: ProtoSpec,
  around: Pick<Around, "note"> & { readonly readBytes: (path: string) => Uint8Array },
): FileRegistry | undefined {
  const { descriptorInline = "", descriptorFile = "" } = spec;
  const field = descriptorInline !== "" ? "descriptorInline" : "descriptorFile";
  const wrong = (message: string): undefined => {
    around.note({ field: `${FIELD}.${field}`, message, severity: "error", closed: true });
    return undefined;
  };
  if (descriptorInline === "" && descriptorFile === "")
    return wrong("there are no descriptors; those of ConfigMaps are filled in by the operator");
  let bytes: Uint8Array;
  try {
    bytes = descriptorInline !== "" ? Buffer.from(descriptorInline, "base64") : around.readBytes(descriptorFile);
  } catch {
    return wrong("the file cannot be read");
  }
  try {
    const set = fromBinary(FileDescriptorSetSchema, bytes);
    if (set.file.length === 0) return wrong("is no FileDescriptorSet");
    return createFileRegistry(set);
  } catch {
    // What the decoder says is about bytes, not about what the author wrote.
    return wrong("is no FileDescriptorSet with everything that it imports");
  }
}

/** The type of the messages that a method takes, by the path of the call. */
function inputOf(registry: FileRegistry, path: string): DescMessage | undefined {
  const [, service = "", method = "", ...rest] = path.split("/");
  if (rest.length > 0) return undefined;
  return registry.getService(service)?.methods.find(({ name }) => name === method)?.input;
}

function strict(type: DescMessage): (message: Buffer) => void {
  return (bytes) => {
    let message;
    try {
      message = fromBinary(type, bytes);
    } catch {
      throw new GrpcMessageError(`a message is no ${type.typeName}`);
    }
    if (hasUnknown(message)) throw new GrpcMessageError(`a message has fields that ${type.typeName} does not have`);
  };
}

/** Whether a message, or one within it, came with fields that its type does not have. Depth is bounded by the decoder. */
function hasUnknown(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false;
  if (Array.isArray(value)) return value.some(hasUnknown);
  if ("$unknown" in value && Array.isArray(value.$unknown) && value.$unknown.length > 0) return true;
  return Object.entries(value).some(([key, inner]) => key !== "$unknown" && key !== "$typeName" && hasUnknown(inner));
}
