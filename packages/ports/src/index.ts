export type { Clock, CancelTimer } from "./clock.ts";
export { ManualClock } from "./manual-clock.ts";
export { systemClock } from "./system-clock.ts";
export type { Random } from "./random.ts";
export { randomString, uuid } from "./random.ts";
export { seededRandom } from "./seeded-random.ts";
export { systemRandom } from "./system-random.ts";
