import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createAuthority } from "@gatewright/certificates";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { eventually } from "../../manager/testing/eventually.ts";
import { createMetrics, quietLog } from "@gatewright/telemetry";
import { certificateFiles } from "./certificate-files.ts";

test("files that are replaced are served with when they belong together, and not before", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  const [certificateFile, keyFile, authorityFile] = ["tls.crt", "tls.key", "ca.crt"].map((name) => join(folder, name));
  const clock = new ManualClock();
  const year = { notBefore: clock.now(), notAfter: clock.now() + 365 * 24 * 3_600_000 };
  const authority = createAuthority({ subject: { commonName: "test" }, ...year }, seededRandom());
  const issue = () => authority.issue({ names: { hosts: ["a"] }, usedBy: ["server"], ...year });
  const [first, second] = [await issue(), await issue()];
  const metrics = createMetrics();
  const files = { certificateFile: certificateFile!, keyFile: keyFile!, authorityFile: authorityFile! };
  const source = certificateFiles({ ...files, clock, log: quietLog, metrics });
  const stop = new AbortController();
  const ended = source.run(stop.signal);
  const looked = async (): Promise<void> => {
    clock.advance(10_000);
    await eventually("it looked", () => clock.pending === 1);
  };
  await eventually("it looked", () => clock.pending === 1);
  assert.equal(source.current(), undefined);
  await writeFile(certificateFile!, first.certificate);
  await writeFile(keyFile!, first.key);
  await writeFile(authorityFile!, authority.certificate);
  let changes = 0;
  source.subscribe(() => changes++);
  await looked();
  await looked();
  assert.deepEqual([source.current(), source.bundle(), changes], [first, authority.certificate, 1]);
  await writeFile(certificateFile!, second.certificate);
  await looked();
  assert.deepEqual([source.current(), changes], [first, 1]);
  await writeFile(keyFile!, second.key);
  await looked();
  assert.deepEqual([source.current(), changes], [second, 2]);
  stop.abort();
  await ended;
  assert.equal(clock.pending, 0);
  assert.match(
    metrics.exposition().body,
    /certwatcher_read_certificate_total 5\n[^]*certwatcher_read_certificate_errors_total 2\n/,
  );
  await rm(folder, { recursive: true });
});
