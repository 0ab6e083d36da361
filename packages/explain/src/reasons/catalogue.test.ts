import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { REASONS as APPLICATIONS } from "@gatewright/applications/reasons";
import { REASONS as HOSTNAMES } from "@gatewright/hostnames/reasons";
import { REASONS as INFRA } from "@gatewright/infra/reasons";
import { REASONS as ROUTING } from "@gatewright/routing/reasons";
import { reasonEntry } from "./catalogue.ts";
import type { Vocabulary } from "./catalogue.ts";

const PACKAGES = join(import.meta.dirname, "../../..");

/** What code under a folder says: every reason that it writes as a word of its own. */
function writtenIn(folder: string, pattern: RegExp): ReadonlySet<string> {
  const files = globSync("**/*.ts", { cwd: join(PACKAGES, folder) }).filter((file) => !/test|testing/.test(file));
  const found = files.flatMap((file) => {
    const text = readFileSync(join(PACKAGES, folder, file), "utf8");
    return Array.from(text.matchAll(pattern), ([, reason = ""]) => reason);
  });
  return new Set(found);
}

suite("the catalogue", () => {
  const tables: readonly (readonly [Vocabulary, object])[] = [
    ["applications", APPLICATIONS],
    ["hostnames", HOSTNAMES],
    ["infra", INFRA],
    ["routing", ROUTING],
  ];
  for (const [vocabulary, table] of tables) {
    test(`knows every reason of ${vocabulary}`, () => {
      for (const reason of Object.keys(table)) {
        const entry = reasonEntry(reason, [vocabulary]);
        assert.ok(entry !== undefined && entry.means.length > 10, reason);
      }
    });
  }

  test("knows every reason that explanations find themselves, and those that pods of Applications give", () => {
    const found = writtenIn("explain/src", /reason: "([A-Z]\w+)"/g);
    assert.ok(found.size > 20);
    for (const reason of found) {
      if (["Forbidden", "NotServed", "InStep", "Served", "Admitted"].includes(reason)) continue;
      const entry = reasonEntry(reason, ["found", "kubernetes", "gateway-api", "hostnames", "applications"]);
      assert.ok(entry !== undefined, reason);
    }
    for (const reason of writtenIn("applications/src/status", /reason: "([A-Z]\w+)"/g)) {
      assert.ok(reasonEntry(reason, ["applications", "kubernetes"]) !== undefined, reason);
    }
  });

  test("knows every reason that the load balancer controller of the laptop gives", () => {
    const given = writtenIn("laptop/src/load-balancers", /reason: "([A-Z]\w+)"/g);
    assert.ok(given.size > 10);
    for (const reason of given) assert.ok(reasonEntry(reason, ["gateway-api"]) !== undefined, reason);
  });

  test("says nothing of words that nobody uses, whatever they are", () => {
    for (const word of ["NoSuchReason", "constructor", "__proto__", ""]) {
      assert.equal(reasonEntry(word, ["found", "hostnames", "infra", "routing"]), undefined);
    }
  });
});
