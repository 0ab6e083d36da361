import assert from "node:assert/strict";
import { test } from "node:test";
import { Timeline } from "@gatewright/explain";
import { Application } from "@gatewright/resources";
import { answeringClient, refusing } from "../testing/answering.ts";
import { followKind } from "./follow-kind.ts";
import { mayListAll } from "./watch.ts";

const REFUSALS = [
  [401, "Unauthorized"],
  [403, "Forbidden"],
] as const;

test("who is not taken or not allowed is told, and not asked for again for ever", async () => {
  for (const [code, reason] of REFUSALS) {
    const [told, signal]: [string[], AbortSignal] = [[], AbortSignal.timeout(5_000)];
    await followKind(Application, {
      client: answeringClient(() => refusing(code, reason, `${reason}, it says`)),
      timeline: new Timeline(),
      selection: {},
      tell: () => assert.fail("nothing happened"),
      refused: (message) => told.push(message),
      signal,
    });
    assert.deepEqual(told, [`${reason}, it says`]);
    assert.equal(signal.aborted, false);
  }
});

test("all namespaces are watched where they may be listed, or the kind is not there; who is not taken learns nothing", async () => {
  const { signal } = new AbortController();
  const may = (code: number): Promise<boolean> =>
    mayListAll(
      answeringClient(() => refusing(code, "Odd", "no")),
      signal,
    );
  assert.equal(await may(403), false);
  assert.equal(await may(404), true);
  await assert.rejects(may(401), { code: 401 });
});
