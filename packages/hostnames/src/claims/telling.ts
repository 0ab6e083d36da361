import { parseTime } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { EventRecorder } from "@gatewright/runtime";
import { isTrouble, REASONS } from "../reasons.ts";
import { ownerOf } from "./claim.ts";
import type { Claim } from "./claim.ts";
import type { ClaimMetrics } from "./claim-metrics.ts";
import { isDone } from "./conditions.ts";
import type { Effect } from "./decision.ts";
import type { Observation } from "./observation.ts";
import type { RunEnd } from "./run.ts";

/** Events and metrics of claims: of what became otherwise, never of what stays as it is. */
export interface Telling {
  performed(events: EventRecorder, effect: Effect, seen: Observation, after: Observation): void;
  ended(events: EventRecorder, before: Claim, end: RunEnd): void;
  /** The claim is gone. */
  forget(claim: string): void;
  /** Another process leads, or this one begins to: nothing is known of any claim. */
  clear(): void;
}

export function createTelling(metrics: ClaimMetrics, clock: Clock): Telling {
  const states = new Map<string, string>();
  return {
    performed(events, effect, seen, after) {
      if (effect.type !== "changeRecord" || !seen.drifted.has(effect.key)) return;
      const progress = after.answers.changes.get(effect.key)?.progress;
      if (progress?.state !== "waiting" || seen.answers.changes.has(effect.key)) return;
      const what = seen.drifted.get(effect.key) === undefined ? "removed" : "changed";
      const note = `Somebody else ${what} the record ${effect.key.trim()}; it is put back.`;
      events.record(seen.claim, { type: "Warning", reason: REASONS.DriftRepaired.reason, action: "Repair", note });
      metrics.drift("record");
    },
    ended(events, before, { claim, fact }) {
      const name = ownerOf(claim);
      if (fact === undefined) return;
      const state = fact.reason.reason;
      metrics.moved(states.get(name), state);
      states.set(name, state);
      const ready = readyOf(before);
      const now = readyOf(claim);
      if (!isDone(before, "CertificateIssued") && isDone(claim, "CertificateIssued")) {
        const since = parseTime(claim.status?.certificate?.request?.requestedAt ?? "");
        if (since !== undefined) metrics.issued((clock.now() - since) / 1000);
      }
      if (now === undefined || (ready?.status === now.status && ready.reason === now.reason)) return;
      if (fact.denied === true) metrics.denied(state);
      if (state === REASONS.CertificateMissing.reason) metrics.drift("certificate");
      if (state === REASONS.RecordDrifted.reason) metrics.drift("record");
      // That something is on its way is no news; what needs a person is, and that it serves.
      if (!isTrouble(state) && fact.status !== "True") return;
      const type = isTrouble(state) ? "Warning" : "Normal";
      events.record(claim, { type, reason: state, action: "Reconcile", note: fact.message });
    },
    forget(claim) {
      metrics.moved(states.get(claim), undefined);
      states.delete(claim);
    },
    clear() {
      for (const state of states.values()) metrics.moved(state, undefined);
      states.clear();
    },
  };
}

function readyOf({ status }: Claim) {
  return status?.conditions?.find(({ type }) => type === "Ready");
}
