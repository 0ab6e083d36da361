import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readManifests } from "./read-manifests.ts";
import { UsageError } from "./usage-error.ts";

const FILES = {
  "b.yaml":
    "# first\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  text: |\n    a\n    --- not the end\n---\n\n--- # more\nkind: Secret\napiVersion: v1\nmetadata:\n  name: c\n",
  "a.json":
    '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}]}',
  "note.txt": "no manifest",
};

function inFolder(files: Readonly<Record<string, string>>, look: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "manifests-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    look(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("documents of files and folders are read in order, lists taken apart, what is empty left out", () => {
  inFolder(FILES, (folder) => {
    const names = (paths: readonly string[]) =>
      readManifests(paths).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.deepEqual(names([folder]), ["ConfigMap a", "ConfigMap b", "Secret c"]);
    assert.deepEqual(names([join(folder, "b.yaml")]), ["ConfigMap b", "Secret c"]);
  });
});

test("what is no manifest is told with its file", () => {
  const files = { "x.yaml": "just: text\n", "y.yaml": "a: [1\n", "z.yaml": "apiVersion: v1\nkind: Secret\n" };
  inFolder(files, (folder) => {
    const told = (name: string): RegExp => new RegExp(name.replace(".", "\\."));
    for (const name of [...Object.keys(files), "none.yaml"]) {
      assert.throws(
        () => readManifests([join(folder, name)]),
        (error) => error instanceof UsageError && told(name).test(error.message),
      );
    }
  });
});
