import { parseTime } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { count, flag, struct, structs, text } from "../resources/object-fields.ts";
import type { TableColumns } from "../resources/resource.ts";
import { age, columns, since } from "./columns.ts";

const state = (status: JsonObject, name: string): JsonObject | undefined => struct(status, "state", name);

/** Restarts, and the time of the last one. */
class Restarts {
  count = 0;
  last = 0;

  add(status: JsonObject): void {
    this.count += count(status, "restartCount");
    const ended = struct(status, "lastState", "terminated")?.["finishedAt"];
    this.last = Math.max(this.last, typeof ended === "string" ? (parseTime(ended) ?? 0) : 0);
  }

  text(now: number): string {
    if (this.count === 0 || this.last === 0) return String(this.count);
    return `${this.count} (${since(new Date(this.last).toISOString(), now)} ago)`;
  }
}

function endedReason(ended: JsonObject, prefix = ""): string {
  const signal = count(ended, "signal");
  const why = text(ended, "reason") || (signal !== 0 ? `Signal:${signal}` : `ExitCode:${count(ended, "exitCode")}`);
  return prefix + why;
}

function hasTrueCondition(pod: KubeObject, type: string): boolean {
  const conditions = structs(struct(pod, "status"), "conditions");
  return conditions.some((c) => text(c, "type") === type && text(c, "status") === "True");
}

interface Summary {
  reason: string;
  ready: number;
  restarts: Restarts;
}

/** What init containers say. `initializing` is false when they are through. */
function initSummary(pod: KubeObject, reason: string): Summary & { initializing: boolean; sidecars: Restarts } {
  const containers = structs(struct(pod, "spec"), "initContainers");
  const statuses = structs(struct(pod, "status"), "initContainerStatuses");
  const sidecarNames = new Set(
    containers.filter((c) => text(c, "restartPolicy") === "Always").map((c) => text(c, "name")),
  );
  const seen = { reason, ready: 0, restarts: new Restarts(), sidecars: new Restarts(), initializing: false };
  for (const [i, status] of statuses.entries()) {
    const sidecar = sidecarNames.has(text(status, "name"));
    const ended = state(status, "terminated");
    const waiting = text(state(status, "waiting"), "reason");
    seen.restarts.add(status);
    if (sidecar) seen.sidecars.add(status);
    if (ended && count(ended, "exitCode") === 0) continue;
    if (sidecar && flag(status, "started")) {
      if (flag(status, "ready")) seen.ready++;
      continue;
    }
    seen.initializing = true;
    if (ended) seen.reason = endedReason(ended, "Init:");
    else if (waiting !== "" && waiting !== "PodInitializing") seen.reason = `Init:${waiting}`;
    else seen.reason = `Init:${i}/${containers.length}`;
    break;
  }
  return seen;
}

/** What the containers say, on top of what was known before they ran. */
function runSummary(pod: KubeObject, before: Summary): Summary {
  const seen = { ...before };
  let [running, failure] = [false, ""];
  for (const status of structs(struct(pod, "status"), "containerStatuses").toReversed()) {
    const waiting = text(state(status, "waiting"), "reason");
    const ended = state(status, "terminated");
    seen.restarts.add(status);
    if (waiting !== "") {
      seen.reason = waiting;
    } else if (ended) {
      seen.reason = endedReason(ended);
      if (count(ended, "exitCode") !== 0) failure = seen.reason;
    } else if (flag(status, "ready") && state(status, "running")) {
      running = true;
      seen.ready++;
    }
  }
  if (seen.reason === "Completed") {
    if (running && hasTrueCondition(pod, "Ready")) seen.reason = "Running";
    else if (failure !== "") seen.reason = failure;
    else if (running) seen.reason = "NotReady";
  }
  return seen;
}

function summary(pod: KubeObject): Summary {
  const status = struct(pod, "status");
  const phase = text(status, "phase");
  const gated = structs(status, "conditions").some(
    (c) => text(c, "type") === "PodScheduled" && text(c, "reason") === "SchedulingGated",
  );
  const init = initSummary(pod, gated ? "SchedulingGated" : text(status, "reason") || phase);
  const started = !init.initializing || hasTrueCondition(pod, "Initialized");
  const seen: Summary = started ? runSummary(pod, { ...init, restarts: init.sidecars }) : init;
  if (pod.metadata.deletionTimestamp) {
    if (text(status, "reason") === "NodeLost") seen.reason = "Unknown";
    else if (phase !== "Succeeded" && phase !== "Failed") seen.reason = "Terminating";
  }
  return seen;
}

function readinessGates(pod: KubeObject): string {
  const gates = structs(struct(pod, "spec"), "readinessGates");
  if (gates.length === 0) return "<none>";
  return `${gates.filter((gate) => hasTrueCondition(pod, text(gate, "conditionType"))).length}/${gates.length}`;
}

function cells(pod: KubeObject, now: number): Json[] {
  const [spec, status] = [struct(pod, "spec"), struct(pod, "status")];
  const { reason, ready, restarts } = summary(pod);
  const sidecars = structs(spec, "initContainers").filter((c) => text(c, "restartPolicy") === "Always").length;
  return [
    pod.metadata.name ?? "",
    `${ready}/${structs(spec, "containers").length + sidecars}`,
    reason,
    restarts.text(now),
    age(pod, now),
    text(structs(status, "podIPs")[0], "ip") || "<none>",
    text(spec, "nodeName") || "<none>",
    text(status, "nominatedNodeName") || "<none>",
    readinessGates(pod),
  ];
}

function completed(reason: string, message: string): JsonObject[] {
  return [{ type: "Completed", status: "True", reason, message }];
}

/** Pods as `kubectl get pods` shows them. */
export const podColumns: TableColumns = {
  ...columns(
    ["Name", "Ready", "Status", "Restarts", "Age", "IP@1", "Node@1", "Nominated Node@1", "Readiness Gates@1"],
    cells,
  ),
  conditions(pod) {
    const phase = text(struct(pod, "status"), "phase");
    if (phase === "Succeeded") return completed(phase, "The pod has completed successfully.");
    return phase === "Failed" ? completed(phase, "The pod failed.") : [];
  },
};
