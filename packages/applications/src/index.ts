export { applications } from "./controller.ts";
export { APPLICATION_LABEL } from "./children/names.ts";
export {
  createEventApi,
  createEventHistory,
  createEventServer,
  createRecorder,
  eventPaths,
  openEventHistory,
} from "./api/index.ts";
export { reviewedAccess, reviewedTokens } from "./api/index.ts";
export type { EventHistory } from "./api/index.ts";
