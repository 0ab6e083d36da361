export { applications } from "./controller.ts";
export { APPLICATION_LABEL } from "./children/names.ts";
export {
  createEventApi,
  createEventHistory,
  createRecorder,
  eventAccess,
  eventPaths,
  openEventHistory,
  reviewedAccess,
  serveEvents,
} from "./api/index.ts";
export type { EventHistory } from "./api/index.ts";
