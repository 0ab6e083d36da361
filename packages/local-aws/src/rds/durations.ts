const MINUTE_MS = 60_000;

/** How long things take on AWS, as a rule; multiplied by the pace of the world. */
export const DURATIONS = {
  creating: 5 * MINUTE_MS,
  backingUp: MINUTE_MS,
  modifying: 5 * MINUTE_MS,
  upgrading: 10 * MINUTE_MS,
  storageOptimization: 10 * MINUTE_MS,
  credentials: MINUTE_MS / 2,
  rebooting: MINUTE_MS,
  stopping: 3 * MINUTE_MS,
  starting: 4 * MINUTE_MS,
  deleting: 3 * MINUTE_MS,
  snapshot: 2 * MINUTE_MS,
} as const;

/** A stopped instance is started again after this, at any pace: it is a rule of the calendar. */
export const LONGEST_STOP_MS = 7 * 24 * 60 * MINUTE_MS;
