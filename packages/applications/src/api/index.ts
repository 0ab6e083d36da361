export { reviewedAccess } from "./access/reviewed-access.ts";
export { createEventApi } from "./create-event-api.ts";
export { eventPaths } from "./event-paths.ts";
export type { EventHistory } from "./history/event-history.ts";
export { createEventHistory, openEventHistory } from "./history/open-history.ts";
export { createRecorder } from "./recorder/create-recorder.ts";
export { eventAccess, serveEvents } from "./server/serve-events.ts";
