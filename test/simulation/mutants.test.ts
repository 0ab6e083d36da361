import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { mutated } from "../../scripts/simulation/mutated.ts";
import { MUTANTS } from "./mutants.ts";
import { SCENARIOS } from "./scenarios.ts";

test("every planted bug has its place in the source, once, and a scenario", () => {
  for (const mutant of MUTANTS) {
    const source = readFileSync(new URL(`../../${mutant.file}`, import.meta.url), "utf8");
    assert.notEqual(mutated(mutant, source), source, mutant.name);
    assert.ok(
      SCENARIOS.some(({ name }) => name === mutant.scenario),
      mutant.name,
    );
  }
});

test("planted bugs have names of their own", () => {
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
});
