import assert from "node:assert/strict";
import { test } from "node:test";
import type { Decision } from "../decision.ts";
import type { Observation } from "../observation.ts";
import { seeing, textOf } from "./observations.ts";

/** What is seen, and what comes of it. */
export type DecisionCase = readonly [what: string, seen: Partial<Observation>, comes: string];

/** Tests each case, and that no way goes on for ever: what is remembered is decided by next. */
export function testDecisions(decide: (seen: Observation) => Decision, cases: readonly DecisionCase[]): void {
  for (const [what, seen, comes] of cases) {
    test(what, () => {
      assert.equal(textOf(decide(seeing(seen))), comes);
      let now = seeing(seen);
      for (let round = 0; ; round++) {
        assert.ok(round < 10);
        const decision = decide(now);
        if (decision.kind !== "remember") break;
        const { memory } = decision;
        const id = now.resource.is === "unnamed" ? (memory.resource?.id ?? "") : "";
        now = { ...now, memory, ...(id !== "" && { resource: { is: "unknown", id } }) };
      }
    });
  }
}
