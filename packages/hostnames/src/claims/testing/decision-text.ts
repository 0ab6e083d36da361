import type { Decision } from "../decision.ts";
import type { ClaimRecord } from "../claim.ts";
import { aliasOf, HOSTNAME } from "./observations.ts";

/** The alias of the sample claim, as it is remembered. */
export const ALIAS: ClaimRecord = { name: HOSTNAME, type: "A", alias: aliasOf(), purpose: "alias" };

/** Times at which is looked again anyway, where nothing else tells when. */
const USUAL: ReadonlySet<number | undefined> = new Set([undefined, 30_000, 300_000]);

/** A decision in a line. */
export function textOf(decision: Decision): string {
  switch (decision.kind) {
    case "remember":
      return `remember ${Object.keys(decision.memory).toSorted().join(" ")}`;
    case "commit":
      return `commit ${decision.lock}: ${Object.keys(decision.memory).toSorted().join(" ")}`;
    case "ask": {
      const { effect } = decision;
      return `ask ${effect.type}${effect.type === "changeRecord" ? ` ${effect.change.action}` : ""}`;
    }
    case "rest": {
      const { at, status = "False", reason, denied, serving, undoing } = decision.fact;
      const marks = [denied === true && "denied", serving === true && !undoing && "serving"].filter(Boolean);
      const after = USUAL.has(decision.afterMs) ? [] : [`after ${decision.afterMs}`];
      return ["rest", at, status, reason.reason, ...marks, ...after].join(" ");
    }
    case "gone":
      return "gone";
  }
}
