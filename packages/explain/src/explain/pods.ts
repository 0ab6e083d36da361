import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { STATES } from "../answer.ts";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { podLink } from "./pod.ts";

/** More are alike. */
const SHOWN = 3;

/** Pods, worst first, those that are ending last: a few of them. */
export function podLinks(known: Known, pods: readonly Immutable<core.Pod>[]): readonly Cause[] {
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return staying
    .map((pod) => podLink(known, pod))
    .toSorted((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state))
    .slice(0, SHOWN);
}

/** One that ended for good and is left over: who made it makes another, and never starts this one again. */
export function hasFailed({ status }: Immutable<core.Pod>): boolean {
  return status?.phase === "Failed";
}

export function isReady({ metadata, status }: Immutable<core.Pod>): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return metadata.deletionTimestamp === undefined && ready?.status === "True";
}
