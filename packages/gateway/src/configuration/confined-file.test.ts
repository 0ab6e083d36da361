import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { confinedFile, isConfined } from "./confined-file.ts";

/** A directory that is allowed, one beside it that is not, and a file in each. */
function folders(t: TestContext) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
  t.after(() => rmSync(root, { recursive: true }));
  const [allowed, other] = [join(root, "certs"), join(root, "certs-of-others")];
  for (const folder of [allowed, other]) {
    mkdirSync(join(folder, "deep"), { recursive: true });
    writeFileSync(join(folder, "a.pem"), "");
    writeFileSync(join(folder, "deep", "b.pem"), "");
  }
  return { allowed, other };
}

test("files within a directory that is allowed may be read, at any depth, and no others", (t) => {
  const { allowed, other } = folders(t);
  for (const name of ["a.pem", "deep/b.pem"]) {
    assert.equal(confinedFile(join(allowed, name), [other, allowed]), join(allowed, name));
    assert.throws(() => confinedFile(join(other, name), [allowed]), /is not within a directory/u);
    assert.throws(() => confinedFile(join(allowed, name), []), /is not within a directory/u);
  }
});

test("a name that leads out and back, a relative one, and the directory itself are refused", (t) => {
  const { allowed } = folders(t);
  for (const path of [`${allowed}/../certs/a.pem`, `${allowed}/deep/../a.pem`, "a.pem", "./a.pem", "", allowed, "/"])
    assert.equal(isConfined(path, [allowed]), false, path);
});

test("a link counts as what it leads to", (t) => {
  const { allowed, other } = folders(t);
  symlinkSync(join(other, "a.pem"), join(allowed, "out.pem"));
  symlinkSync(other, join(allowed, "out"));
  symlinkSync(join(allowed, "deep"), join(allowed, "..data"));
  symlinkSync(allowed, join(other, "mounted"));
  for (const name of ["out.pem", "out/a.pem"]) {
    assert.equal(isConfined(join(allowed, name), [allowed]), false);
    assert.throws(() => confinedFile(join(allowed, name), [allowed]));
  }
  assert.equal(confinedFile(join(allowed, "..data", "b.pem"), [allowed]), join(allowed, "deep", "b.pem"));
  assert.equal(confinedFile(join(other, "mounted", "a.pem"), [join(other, "mounted")]), join(allowed, "a.pem"));
});

test("a file that is not there yet may be named, and cannot be read", (t) => {
  const { allowed } = folders(t);
  assert.equal(isConfined(join(allowed, "later.pem"), [allowed]), true);
  assert.throws(() => confinedFile(join(allowed, "later.pem"), [allowed]), { code: "ENOENT" });
});
