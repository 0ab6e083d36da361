/** Reasons of conditions and events, beside those that pods and Jobs give themselves. docs/applications.md explains each. */
export const REASON = {
  /** Everything is as it should be. */
  succeeded: "ReconciliationSucceeded",
  rollingOut: "RollingOut",
  rolledOut: "RolloutComplete",
  /** Pods run, and not all of them are ready. */
  notReady: "NotReady",
  /** The Job runs. */
  running: "JobRunning",
  /** The Job is yet to be made; one of an older spec is stopped first. */
  starting: "JobStarting",
  deadline: "ProgressDeadlineExceeded",
  quota: "QuotaExceeded",
  /** Pods cannot be made, for another reason than a quota. */
  failedCreate: "FailedCreate",
  /** The server refuses an object that the Application needs. */
  rejected: "Rejected",
  /** An object of that name is there already and is not the Application's. */
  nameTaken: "NameTaken",
  /** Objects of an Application of the same name, deleted before, are still going. */
  cleaningUp: "CleaningUp",
  /** The hostname or its route is on its way. */
  exposing: "Exposing",
  /** The operator looks after no hostnames here. */
  exposeUnavailable: "ExposeUnavailable",
} as const;
