export { applyServerSide } from "./apply.ts";
export type { Applied, ApplyRequest } from "./apply.ts";
export { parentManagedFields, scaleManagedFields } from "./scale.ts";
export type { ReplicasPath } from "./scale.ts";
export { equalIgnoringTimes, revertTimes } from "./times.ts";
export { trackUpdate } from "./track-update.ts";
export type { UpdateRequest } from "./track-update.ts";
