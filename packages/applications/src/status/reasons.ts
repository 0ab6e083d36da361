import type { REASON } from "./reason.ts";

/** Why an Application is as it is, and what a person can do. */
export interface Reason {
  readonly reason: string;
  readonly means: string;
  /** What to do about it; empty where there is nothing to do but wait. */
  readonly remedy: string;
}

type Own = (typeof REASON)[keyof typeof REASON];

/** Every reason of conditions of Applications, but those that pods, Jobs and hostnames give themselves. */
export const REASONS: Readonly<Record<Own, Reason>> = {
  ReconciliationSucceeded: { reason: "ReconciliationSucceeded", means: "All pods are ready.", remedy: "" },
  RollingOut: { reason: "RollingOut", means: "Pods of the newest spec are on their way.", remedy: "" },
  RolloutComplete: { reason: "RolloutComplete", means: "All pods are of the newest spec.", remedy: "" },
  NotReady: {
    reason: "NotReady",
    means: "Pods run, and a startup or readiness probe has not succeeded.",
    remedy: "Look at the probe, and at the logs of the pod that is named.",
  },
  JobRunning: { reason: "JobRunning", means: "The Job runs.", remedy: "" },
  JobStarting: { reason: "JobStarting", means: "The Job is yet to be made.", remedy: "" },
  ProgressDeadlineExceeded: {
    reason: "ProgressDeadlineExceeded",
    means: "An update made no progress for ten minutes.",
    remedy: "Look at its newest pods.",
  },
  QuotaExceeded: {
    reason: "QuotaExceeded",
    means: "A quota of the namespace is used up.",
    remedy: "Ask for fewer replicas or smaller ones, or for another quota.",
  },
  FailedCreate: {
    reason: "FailedCreate",
    means: "Pods are refused: by a policy, or for want of a service account.",
    remedy: "Do what the message says.",
  },
  Rejected: {
    reason: "Rejected",
    means: "The server refuses an object that the spec leads to.",
    remedy: "Change the spec as the message says.",
  },
  NameTaken: {
    reason: "NameTaken",
    means: "An object of that name is somebody else's.",
    remedy: "Choose another name, or delete that object.",
  },
  CleaningUp: {
    reason: "CleaningUp",
    means: "Objects of a deleted Application of this name are still going.",
    remedy: "",
  },
  Exposing: {
    reason: "Exposing",
    means: "The hostname has been asked for, or the load balancer is yet to take its route.",
    remedy: "",
  },
  ExposeUnavailable: {
    reason: "ExposeUnavailable",
    means: "The operator of this cluster looks after no hostnames.",
    remedy: "Ask the platform team to switch hostnames on.",
  },
};
