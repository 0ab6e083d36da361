import { keyOf } from "@gatewright/kube";
import type { ObjectKey, ObjectRef } from "@gatewright/kube";
import { changeOf, overlapsOf } from "../claims/topics.ts";

/** Who waits for which hostnames, so that a claim that goes wakes those who could not have it, and nobody else. */
export interface Waiters {
  /** Says what a request waits for; nothing, and it is forgotten. */
  wait(request: ObjectRef, hostnames: readonly string[]): void;
  /** The requests that a change of a hostname's claim concerns: they want it, or one that overlaps with it. */
  waitingFor(hostname: string): readonly ObjectRef[];
}

/** Lives as long as a process: when it starts, every request is looked at and says anew what it waits for. */
export function createWaiters(): Waiters {
  const byTopic = new Map<string, Map<ObjectKey, ObjectRef>>();
  const topicsOf = new Map<ObjectKey, readonly string[]>();
  return {
    wait(request, hostnames) {
      const key = keyOf(request);
      for (const topic of topicsOf.get(key) ?? []) {
        const waiting = byTopic.get(topic);
        waiting?.delete(key);
        if (waiting?.size === 0) byTopic.delete(topic);
      }
      const topics = hostnames.flatMap((hostname) => [itself(hostname), ...overlapsOf(hostname)]);
      if (topics.length === 0) return void topicsOf.delete(key);
      topicsOf.set(key, topics);
      for (const topic of topics) {
        const waiting = byTopic.get(topic) ?? new Map<ObjectKey, ObjectRef>();
        byTopic.set(topic, waiting.set(key, request));
      }
    },
    waitingFor(hostname) {
      const topics = [itself(hostname), ...changeOf(hostname)];
      return topics.flatMap((topic) => [...(byTopic.get(topic)?.values() ?? [])]);
    },
  };
}

const itself = (hostname: string): string => `claim of ${hostname}`;
