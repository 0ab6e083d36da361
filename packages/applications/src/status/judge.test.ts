import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Application } from "@gatewright/resources";
import type { Observation } from "../observation.ts";
import { appOf, deploymentOf, jobOf, podOf, seeing } from "../testing/objects.ts";
import { judge } from "./judge.ts";
import type { Trouble } from "./verdict.ts";

const MINIMUM = ["True", "MinimumReplicasAvailable"] as const;
const TOO_FEW = ["False", "MinimumReplicasUnavailable"] as const;
const REACHED = ["True", "NewReplicaSetAvailable"] as const;
const LATE = ["False", "ProgressDeadlineExceeded"] as const;
const QUOTA = 'pods "web-5d5c-x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1';
const crashing = podOf(
  "web-a",
  { waiting: { reason: "CrashLoopBackOff" } },
  { lastState: { terminated: { exitCode: 1 } } },
);
const starting = podOf("web-a", { running: {} }, { started: true });
const none = { replicas: 0, updatedReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
const taken: Trouble = { reason: "NameTaken", message: "Service shop/web exists already", failing: true };
const once = (status?: Application["status"]) => appOf({ runToCompletion: true }, status && { status });

/** Phase, reason of Ready, whether it is progressing and why, and the message of Ready. */
type Expected = readonly [phase: string, ready: string, progressing: string, message: string | RegExp];

function check(name: string, seen: Observation, [phase, ready, progressing, message]: Expected, obstacle?: Trouble) {
  test(name, () => {
    const verdict = judge(seen, obstacle);
    const short = ({ status, reason }: { readonly status: string; readonly reason: string }) => `${status} ${reason}`;
    const is = [verdict.phase, short(verdict.ready), short(verdict.progressing)];
    assert.deepEqual(is, [phase, ready, progressing]);
    if (typeof message === "string") assert.equal(verdict.ready.message, message);
    else assert.match(verdict.ready.message, message);
  });
}

suite("how an Application with a Deployment is", () => {
  const running = (deployment: Observation["deployment"], pods: Observation["pods"] = []) =>
    seeing(appOf(), { deployment, pods });
  check("pending while there is no Deployment", seeing(appOf()), [
    "Pending",
    "False RollingOut",
    "True RollingOut",
    "the Deployment is not there yet",
  ]);
  check("running when all replicas are available", running(deploymentOf({ conditions: { Available: MINIMUM } })), [
    "Running",
    "True ReconciliationSucceeded",
    "False RolloutComplete",
    "2 of 2 replicas are ready",
  ]);
  check("running when it is scaled to zero", running(deploymentOf({}, { replicas: 0 })), [
    "Running",
    "True ReconciliationSucceeded",
    "False RolloutComplete",
    "scaled to zero",
  ]);
  check(
    "not ready by a status of an older spec",
    running(deploymentOf({ observedGeneration: 4, conditions: { Available: MINIMUM } })),
    ["Running", "False RollingOut", "True RollingOut", "the Deployment has not been looked at yet"],
  );
  check("rolling out while some replicas are old", running(deploymentOf({ replicas: 3 })), [
    "Pending",
    "False RollingOut",
    "True RollingOut",
    "replicas of an older spec are still there: 1",
  ]);
  check(
    "rolling out until the new replicas are available",
    running(deploymentOf({ availableReplicas: 1 }), [starting]),
    [
      "Pending",
      "False NotReady",
      "True NotReady",
      "pod web-a, container app: runs, and its readiness probe has not succeeded yet",
    ],
  );
  check(
    "not ready, and no update, when pods stop being ready",
    running(
      deploymentOf({
        readyReplicas: 1,
        availableReplicas: 1,
        conditions: { Available: TOO_FEW, Progressing: REACHED },
      }),
    ),
    ["Pending", "False NotReady", "False RolloutComplete", "1 of 2 replicas are ready"],
  );
  check("failed while pods crash", running(deploymentOf({ ...none, updatedReplicas: 2, replicas: 2 }), [crashing]), [
    "Failed",
    "False CrashLoopBackOff",
    "True CrashLoopBackOff",
    "pod web-a, container app: ends again and again, last with code 1",
  ]);
  check(
    "still running when an update fails and the old pods serve",
    running(deploymentOf({ replicas: 3, updatedReplicas: 1, conditions: { Available: MINIMUM } }), [crashing]),
    ["Running", "False CrashLoopBackOff", "True CrashLoopBackOff", /web-a/],
  );
  test("wrong all the same", () => {
    const deployment = deploymentOf({ replicas: 3, updatedReplicas: 1, conditions: { Available: MINIMUM } });
    assert.equal(judge(running(deployment, [crashing])).failing, true);
    assert.equal(judge(running(deployment, [starting])).failing, false);
  });
  check("failed when its time is over", running(deploymentOf({ ...none, conditions: { Progressing: LATE } })), [
    "Failed",
    "False ProgressDeadlineExceeded",
    "False ProgressDeadlineExceeded",
    "0 of 2 replicas are of the newest spec",
  ]);
  check(
    "failed for want of quota",
    running(deploymentOf({ ...none, conditions: { ReplicaFailure: ["True", "FailedCreate", QUOTA] } })),
    [
      "Failed",
      "False QuotaExceeded",
      "True QuotaExceeded",
      "pods cannot be made: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1",
    ],
  );
  check(
    "failed when pods cannot be made for another reason",
    running(deploymentOf({ ...none, conditions: { ReplicaFailure: ["True", "FailedCreate", "no such account"] } })),
    ["Failed", "False FailedCreate", "True FailedCreate", "pods cannot be made: no such account"],
  );
  check(
    "failed when something stands in its way",
    running(undefined),
    ["Failed", "False NameTaken", "False NameTaken", "Service shop/web exists already"],
    taken,
  );
  check(
    "not ready when something stands in its way though its pods run",
    running(deploymentOf({ conditions: { Available: MINIMUM } })),
    ["Running", "False NameTaken", "False NameTaken", "Service shop/web exists already"],
    taken,
  );
});

suite("how an Application with a Job is", () => {
  const job = (observed: Observation["job"], pods: Observation["pods"] = []) => seeing(once(), { job: observed, pods });
  const failed = podOf("web-a", { terminated: { exitCode: 3, reason: "Error" } }, { restartPolicy: "Never" });
  check("pending while there is no Job", job(undefined), [
    "Pending",
    "False JobStarting",
    "True JobStarting",
    "the Job is not there yet",
  ]);
  check("pending while the one before is stopped", job(jobOf({ active: 1 }, { annotations: {} })), [
    "Pending",
    "False JobStarting",
    "True JobStarting",
    "the Job of the spec before this one is stopped first",
  ]);
  check("pending until a pod runs", job(jobOf({ active: 1 })), [
    "Pending",
    "False JobRunning",
    "True JobRunning",
    "0 of 2 pods have succeeded",
  ]);
  check("running", job(jobOf({ active: 1, ready: 1, succeeded: 1, failed: 2 }), [failed]), [
    "Running",
    "False JobRunning",
    "True JobRunning",
    "1 of 2 pods have succeeded, 2 have failed",
  ]);
  check("succeeded", job(jobOf({ succeeded: 2, conditions: { Complete: ["True", "CompletionsReached"] } })), [
    "Succeeded",
    "True ReconciliationSucceeded",
    "False ReconciliationSucceeded",
    "ran to completion",
  ]);
  check("succeeded though somebody deleted the Job", seeing(once({ phase: "Succeeded", observedGeneration: 3 })), [
    "Succeeded",
    "True ReconciliationSucceeded",
    "False ReconciliationSucceeded",
    "ran to completion",
  ]);
  check(
    "failed, and why",
    job(
      jobOf({
        conditions: { Failed: ["True", "BackoffLimitExceeded", "Job has reached the specified backoff limit"] },
      }),
      [failed],
    ),
    [
      "Failed",
      "False BackoffLimitExceeded",
      "False BackoffLimitExceeded",
      "Job has reached the specified backoff limit; pod web-a, container app ended with code 3",
    ],
  );
});
