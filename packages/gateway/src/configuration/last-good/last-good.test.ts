import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import fc from "fast-check";
import type { GivenObject } from "../objects.ts";
import { LastGoodError } from "./last-good-error.ts";
import { lastGood } from "./last-good.ts";
import type { LastGood } from "./last-good.ts";
import { formatObjects, parseObjects } from "./objects-file.ts";

const { signal } = new AbortController();
const object = (name: string): GivenObject => ({
  kind: "APIRoute",
  namespace: "shop",
  name,
  version: "1",
  spec: { directResponse: { status: 200, body: "a\nb\u2028" } },
  createdAt: "2030-01-01T00:00:00Z",
});

suite("the last good objects", () => {
  let root: string;
  let made = 0;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "last-good-"));
  });
  after(() => rm(root, { recursive: true }));

  function world(): { kept: LastGood; again: () => LastGood; folder: string; clock: ManualClock; failures: unknown[] } {
    const folder = join(root, String(made++), "state");
    const clock = new ManualClock();
    const failures: unknown[] = [];
    const again = (): LastGood => lastGood(folder, { clock, failed: (error) => void failures.push(error) });
    return { kept: again(), again, folder, clock, failures };
  }

  test("what was kept is read by the next start", async () => {
    const { kept, again, folder } = world();
    assert.equal(await kept.read(signal), undefined);
    kept.keep(() => [object("a"), object("b")]);
    await kept.flush();
    assert.deepEqual(await again().read(signal), [object("a"), object("b")]);
    assert.equal((await stat(join(folder, "objects.json"))).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.deepEqual(await readdir(folder), ["objects.json"]);
  });

  test("changes are gathered, and the newest is written", async () => {
    const { kept, clock, folder } = world();
    const asked: string[] = [];
    for (const name of ["a", "b", "c"]) {
      kept.keep(() => {
        asked.push(name);
        return [object(name)];
      });
    }
    await assert.rejects(stat(folder));
    clock.advance(1000);
    await kept.flush();
    assert.deepEqual(asked, ["c"]);
    assert.deepEqual(await kept.read(signal), [object("c")]);
    assert.equal(clock.pending, 0);
  });

  test("no objects at all are something to remember, too", async () => {
    const { kept } = world();
    kept.keep(() => []);
    await kept.flush();
    assert.deepEqual(await kept.read(signal), []);
  });

  test("a file that is not whole is refused, kept aside, and does not stop the start after", async () => {
    const { kept, again, folder } = world();
    kept.keep(() => [object("a")]);
    await kept.flush();
    const path = join(folder, "objects.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"shop"', '"stop"'));
    await assert.rejects(again().read(signal), (error) => {
      assert.ok(error instanceof LastGoodError);
      assert.match(error.message, /its content is not what was written\. It is kept as .*objects\.json\.refused/);
      return true;
    });
    assert.match(await readFile(`${path}.refused`, "utf8"), /stop/);
    assert.equal(await again().read(signal), undefined);
  });

  test("what cannot be written is told, and the next change is tried", async () => {
    const { kept, folder, failures } = world();
    await mkdir(join(folder, ".."), { recursive: true });
    await writeFile(folder, "in the way");
    kept.keep(() => [object("a")]);
    await kept.flush();
    assert.equal(failures.length, 1);
    await rm(folder);
    kept.keep(() => [object("b")]);
    await kept.flush();
    assert.deepEqual(await kept.read(signal), [object("b")]);
  });

  test("a file that was cut off or changed anywhere is never taken for another", () => {
    const text = formatObjects([object("a"), object("b")]);
    const whole = JSON.stringify(parseObjects(text));
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom("", "x", "\n", "{"), (at, letter) => {
        for (const broken of [text.slice(0, at), text.slice(0, at) + letter + text.slice(at + 1)]) {
          const read = parseObjects(broken);
          assert.ok("problem" in read || JSON.stringify(read) === whole, broken);
        }
      }),
    );
  });
});
