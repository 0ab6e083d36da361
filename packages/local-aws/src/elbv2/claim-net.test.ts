import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { berthAddress } from "./berth.ts";
import { claimNet } from "./claim-net.ts";

test("two worlds have different addresses, and what one gives back the next may have", async () => {
  const [first, second] = [await claimNet(), await claimNet()];
  assert.notDeepEqual(first.addressing, second.addressing);
  await first.release();
  const third = await claimNet();
  assert.notDeepEqual(third.addressing, second.addressing);
  await Promise.all([second.release(), third.release()]);
});

test("addresses at which another program has a usual port are left to it", async () => {
  const { addressing, release } = await claimNet();
  await release();
  const other = createServer().listen({ host: berthAddress(0, addressing), port: 8443, exclusive: true });
  await once(other, "listening");
  const claimed = await claimNet();
  assert.notDeepEqual(claimed.addressing, addressing);
  await claimed.release();
  other.close();
});
