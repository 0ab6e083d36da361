import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CLOSED, mayGo, stepCircuit } from "./circuit-breaker.ts";
import type { Circuit, CircuitSettings } from "./circuit-breaker.ts";

const settings: CircuitSettings = { threshold: 3, openMs: 1000, halfOpenRequests: 2 };
const failed = { type: "ended", ok: false, now: 0, era: undefined } as const;

test("a circuit opens at the threshold of failures in a row, and a success in between begins the count anew", () => {
  let circuit = stepCircuit(stepCircuit(CLOSED, failed, settings), failed, settings);
  circuit = stepCircuit(circuit, { type: "ended", ok: true, now: 0, era: undefined }, settings);
  circuit = stepCircuit(stepCircuit(circuit, failed, settings), failed, settings);
  assert.equal(circuit.at, "closed");
  circuit = stepCircuit(circuit, failed, settings);
  assert.deepEqual(circuit, { at: "open", era: 1, until: 1000 });
});

test("an open circuit lets nobody through before its time, then as many as may try, and their successes close it", () => {
  const open: Circuit = { at: "open", era: 1, until: 1000 };
  assert.equal(mayGo(open, stepCircuit(open, { type: "ask", now: 999 }, settings)), false);
  const first = stepCircuit(open, { type: "ask", now: 1000 }, settings);
  assert.equal(mayGo(open, first), true);
  const second = stepCircuit(first, { type: "ask", now: 1000 }, settings);
  assert.equal(mayGo(first, second), true);
  assert.equal(mayGo(second, stepCircuit(second, { type: "ask", now: 1000 }, settings)), false);
  const half = stepCircuit(second, { type: "ended", ok: true, now: 1001, era: 1 }, settings);
  assert.equal(half.at, "half-open");
  assert.deepEqual(stepCircuit(half, { type: "ended", ok: true, now: 1001, era: 1 }, settings), {
    at: "closed",
    era: 1,
    failures: 0,
  });
});

test("an answer to a request from before the circuit opened neither closes nor opens it again", () => {
  const half: Circuit = { at: "half-open", era: 2, asked: 1, succeeded: 0 };
  for (const ok of [true, false]) {
    assert.equal(stepCircuit(half, { type: "ended", ok, now: 5, era: undefined }, settings), half);
    assert.equal(stepCircuit(half, { type: "ended", ok, now: 5, era: 1 }, settings), half);
  }
});

test("whatever happens: no more tries than allowed are under way, nobody passes an open circuit, and it never sticks", () => {
  const event = fc.record({
    what: fc.constantFrom("ask", "end", "give-up", "wait"),
    ok: fc.boolean(),
    pick: fc.nat(),
    ms: fc.integer({ min: 1, max: 1500 }),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      let circuit: Circuit = CLOSED;
      let now = 0;
      let inARow = 0;
      const underWay: (number | undefined)[] = [];
      for (const { what, ok, pick, ms } of events) {
        const before: Circuit = circuit;
        if (what === "wait") now += ms;
        if (what === "ask") {
          circuit = stepCircuit(circuit, { type: "ask", now }, settings);
          if (!mayGo(before, circuit)) continue;
          if (before.at === "open") assert.ok(now >= before.until);
          underWay.push(circuit.at === "closed" ? undefined : circuit.era);
          const { era } = circuit;
          assert.ok(underWay.filter((of) => of === era).length <= settings.halfOpenRequests);
        }
        if (what === "give-up" && underWay.length > 0) {
          const [era] = underWay.splice(pick % underWay.length, 1);
          circuit = stepCircuit(circuit, { type: "abandoned", era }, settings);
        }
        if (what === "end" && underWay.length > 0) {
          const [era] = underWay.splice(pick % underWay.length, 1);
          circuit = stepCircuit(circuit, { type: "ended", ok, now, era }, settings);
          if (before.at !== "closed" || era !== undefined) {
            if (circuit.at === "closed" && before.at !== "closed") inARow = 0;
            continue;
          }
          inARow = ok ? 0 : inARow + 1;
          assert.equal(circuit.at === "open", inARow >= settings.threshold);
          if (circuit.at === "open") inARow = 0;
        }
      }
      for (const era of underWay) {
        circuit = stepCircuit(circuit, { type: "ended", ok: true, now, era }, settings);
      }
      const later = now + settings.openMs;
      assert.ok(
        circuit.at !== "half-open" || circuit.asked < settings.halfOpenRequests || circuit.asked > circuit.succeeded,
      );
      if (circuit.at !== "closed")
        assert.ok(mayGo(circuit, stepCircuit(circuit, { type: "ask", now: later }, settings)));
    }),
  );
});
