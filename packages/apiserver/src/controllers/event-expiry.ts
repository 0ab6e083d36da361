import { parseTime } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { CancelTimer } from "@gatewright/ports";
import type { Cluster } from "../cluster.ts";
import type { Controller, ControllerDeps } from "./controller.ts";
import { unlessGone } from "./unless-gone.ts";
import { WorkQueue } from "./work-queue.ts";

const EVENTS: GroupResource = { group: "", resource: "events" };
const TTL_MS = 60 * 60 * 1000;

/** Deletes Events an hour after they were last written. */
export function startEventExpiry(cluster: Cluster, deps: ControllerDeps): Controller {
  const { clock } = deps;
  const table = cluster.store.table(cluster.resources.get(EVENTS)?.table ?? EVENTS.resource);
  /** When each Event ends, earliest first: all live equally long, so the order of writes is the order of ends. */
  const ends = new Map<string, number>();
  let timer: CancelTimer | undefined;
  const queue = new WorkQueue({
    clock,
    concurrency: 20,
    work: expire,
    failed: (key, error) => deps.report(`event ${key} could not be expired`, error),
  });

  const snapshot = table.snapshot();
  const known = [...snapshot.entries()].map((entry) => ({
    key: entry.key,
    end: writtenAt(table.decode(entry)) + TTL_MS,
  }));
  for (const { key, end } of known.sort((a, b) => a.end - b.end)) ends.set(key, end);
  const endWatch = table.watch(snapshot.revision, ({ type, entry }) => {
    ends.delete(entry.key);
    if (type !== "DELETED") ends.set(entry.key, clock.now() + TTL_MS);
    if (timer === undefined) schedule();
  });
  schedule();

  function schedule(): void {
    const [first] = ends.values();
    timer = first === undefined ? undefined : clock.timer(Math.max(0, first - clock.now()), collect);
  }

  function collect(): void {
    for (const [key, end] of ends) {
      if (end > clock.now()) break;
      queue.add(key);
      ends.delete(key);
    }
    schedule();
  }

  async function expire(key: string): Promise<void> {
    if (ends.has(key)) return;
    const [namespace = "", name = ""] = key.split("/");
    await unlessGone(cluster.delete(EVENTS, namespace, name));
  }

  return {
    idle: () => queue.idle(),
    stop() {
      timer?.();
      if (endWatch !== "expired") endWatch();
      return queue.stop();
    },
  };

  function writtenAt(event: KubeObject): number {
    const times = [event.lastTimestamp, event.eventTime, event.metadata.creationTimestamp];
    const newest = Math.max(...times.map((time) => (typeof time === "string" ? (parseTime(time) ?? 0) : 0)));
    return Math.min(newest, clock.now());
  }
}
