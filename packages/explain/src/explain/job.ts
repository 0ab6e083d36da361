import type { Immutable } from "@gatewright/kube";
import { batch, core } from "@gatewright/kube/api";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import { subjectOf } from "../subject.ts";
import { sentence } from "./pod.ts";
import { selectorText } from "./selector-text.ts";
import { hasFailed, podLinks } from "./pods.ts";

const WORDS = ["kubernetes", "found"] as const;

/** A Job and its pods. */
export function jobLink(known: Known, { metadata, spec, status }: Immutable<batch.Job>): Cause {
  const { namespace = "", name = "" } = metadata;
  const labelSelector = selectorText(spec?.selector);
  const pods = known.list(core.Pod, { namespace, labelSelector });
  const holds = (type: string) => status?.conditions?.find((each) => each.type === type && each.status === "True");
  const [complete, failed] = [holds("Complete"), holds("Failed")];
  // A Job that has not failed tries again: pods that failed before are no cause yet.
  const isTold = (pod: Immutable<core.Pod>): boolean => failed !== undefined || !hasFailed(pod);
  const on = pods.state === "unknown" ? [unreadLink("Pods", pods.problem)] : podLinks(known, pods.items.filter(isTold));
  const about = { title: `Job ${name}`, subject: subjectOf(batch.Job, { namespace, name }), words: WORDS, on };
  if (complete !== undefined) return link({ ...about, state: "ok", message: "It ran to completion.", on: [] });
  if (failed !== undefined) {
    const { reason = "BackoffLimitExceeded", message = "", lastTransitionTime: since } = failed;
    return link({ ...about, state: "broken", reason, message: sentence(message), since });
  }
  const { succeeded = 0, failed: lost = 0 } = status ?? {};
  const tries = lost > 0 ? ` ${lost} failed before, and it tries again.` : "";
  const message = `${succeeded} of ${spec?.completions ?? 1} pods have succeeded.${tries}`;
  return link({ ...about, state: "waiting", reason: "JobRunning", message });
}
