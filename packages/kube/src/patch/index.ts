export {
  decodeApplyPatch,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
  strictApplyError,
} from "./decode-patch.ts";
export type { DecodedPatch } from "./decode-patch.ts";
export { formatGoValue } from "./go-value.ts";
export { applyJsonPatch } from "./json-patch.ts";
export { applyMergePatch } from "./merge-patch.ts";
export { applyStrategicMergePatch } from "./strategic-merge-patch.ts";
