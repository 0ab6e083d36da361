import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom, sleep, systemClock } from "@gatewright/ports";
import { APIRoute } from "@gatewright/resources";
import { routingCluster } from "./cluster.ts";
import { followedGateway } from "./followed-gateway.ts";
import { namedBackend } from "./named-backend.ts";
import { startOperator } from "./operator.ts";
import type { Operator } from "./operator.ts";
import { RandomEdits } from "./random-edits.ts";
import { steadyRequests } from "./steady-requests.ts";

const EDITS = Number(process.env["GATEWRIGHT_EDITS"] ?? 500);
const SEED = Number(process.env["GATEWRIGHT_SEED"] ?? 1);
/** The operator ends and another one comes, so many times. */
const RESTARTS = Math.max(1, Math.round(EDITS / 1000));
/** How many edits there are between two certificates of the operator. */
const ROTATED = 70;

test(`${EDITS} random edits under load: every request is answered, and right`, async () => {
  await using ends = new AsyncDisposableStack();
  const stopping = new AbortController();
  const cluster = await routingCluster();
  ends.defer(() => cluster.close());
  const transport = await cluster.remote();
  let operator: Operator = await startOperator({ transport });
  ends.defer(() => operator.stop());
  const gateway = await followedGateway(
    () => operator,
    [{ name: "http", address: "127.0.0.1", port: 0 }],
    stopping.signal,
  );
  ends.defer(() => gateway.close());
  const [left, right, other] = [await namedBackend("left"), await namedBackend("right"), await namedBackend("other")];
  for (const backend of [left, right, other]) ends.defer(() => backend.close());

  const served = async (): Promise<void> => {
    const { catalogue, connections } = operator;
    await until("the gateway has everything", async () => {
      const routes = await cluster.client.for(APIRoute).list({ namespace: "shop" });
      const [one] = connections.all();
      return (
        one?.acknowledged === catalogue.revision &&
        routes.items.every(({ metadata, status }) => {
          const ready = status?.conditions?.find(({ type }) => type === "Ready");
          return ready?.status === "True" && ready.observedGeneration === metadata.generation;
        })
      );
    });
  };
  const edits = new RandomEdits(cluster.client, seededRandom(SEED), { left, right, other });
  await edits.begin();
  await served();
  const requests = steadyRequests(
    gateway.running.listeners[0]?.port ?? 0,
    edits.steady,
    new Set([left.name, right.name]),
  );
  ends.defer(() => requests.stop());
  for (let edit = 1; edit <= EDITS; edit++) {
    await edits.one();
    if (edit % 50 === 0) await served();
    if (edit % ROTATED === 0) await operator.rotate(`replica-${edit}.test`);
    if (edit % Math.ceil(EDITS / (RESTARTS + 1)) !== 0) continue;
    const { streamPort } = operator;
    await operator.stop();
    operator = await startOperator({ transport, streamPort });
  }
  await served();
  await requests.stop();
  const { right: answered, wrong } = requests.tally;
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${answered + wrong.length} requests`);
  assert.ok(answered > EDITS, `${answered} requests`);
  assert.deepEqual(gateway.faults, []);
});

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1_000; looks++) {
    if (await holds()) return;
    await sleep(systemClock, 50, new AbortController().signal);
  }
  throw new Error(`it never came true that ${what}`);
}
