import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { databaseOf } from "./database.ts";
import { compareVersions, majorOf } from "./engine-version.ts";
import { SETTINGS } from "./settings.ts";

const isVersion = (engine: string, want: string, have: string, auto = true): boolean =>
  SETTINGS.engineVersion.same?.(
    want,
    have,
    databaseOf({ Engine: engine, EngineVersion: have, AutoMinorVersionUpgrade: auto }),
  ) ?? false;

const VERSIONS = fc.oneof(
  fc
    .array(fc.oneof(fc.nat({ max: 30 }).map(String), fc.constantFrom("ru", "rur", "r1", "r10", "v1", "rds", "00")), {
      minLength: 1,
      maxLength: 6,
    })
    .chain((parts) => fc.constantFrom(".", "-").map((between) => parts.join(between))),
  fc.stringMatching(/^[0-9][A-Za-z0-9._-]{0,20}$/),
);

test("newer within the major version is as good as wanted, whoever made it so: there is no way back", () => {
  for (const auto of [true, false]) {
    for (const [engine, want, have] of [
      ["postgres", "16", "16.13"],
      ["postgres", "16.8", "16.8"],
      ["postgres", "16.8", "16.13"],
      ["mysql", "8", "8.4.6"],
      ["mysql", "8.0", "8.0.43"],
      ["mysql", "5.7.44", "5.7.44-rds.20240808"],
      ["mysql", "5.7.44-rds.20240408", "5.7.44-rds.20240808"],
      ["mariadb", "10.11.9", "10.11.13"],
      ["oracle-se2", "19.0.0.0.ru-2024-01.rur-2024-01.r1", "19.0.0.0.ru-2024-07.rur-2024-07.r1"],
      ["oracle-ee", "19.0.0.0.ru-2024-01.rur-2024-01.r9", "19.0.0.0.ru-2024-01.rur-2024-01.r10"],
      ["sqlserver-se", "15.00.4316.3.v1", "15.00.4385.2.v1"],
      ["db2-se", "11.5.9.0.sb00000000.r1", "11.5.9.0.sb00000000.r2"],
    ] as const) {
      assert.ok(isVersion(engine, want, have, auto), `${engine} ${want} ${have}`);
    }
  }
});

test("older ones, and those of another major version, are not", () => {
  for (const [engine, want, have] of [
    ["postgres", "16.13", "16.8"],
    ["postgres", "16.8", "17.4"],
    ["postgres", "17", "16.13"],
    ["postgres", "1", "16.8"],
    ["mysql", "8.0.43", "8.4.6"],
    ["mysql", "5.7.44-rds.20240808", "5.7.44"],
    ["mariadb", "10.6.22", "10.11.13"],
    ["oracle-se2", "19.0.0.0.ru-2024-07.rur-2024-07.r1", "19.0.0.0.ru-2024-01.rur-2024-01.r1"],
    ["oracle-se2", "19.0.0.0.ru-2024-07.rur-2024-07.r1", "21.0.0.0.ru-2024-07.rur-2024-07.r1"],
    ["sqlserver-se", "15.00.4385.2.v1", "16.00.4085.2.v1"],
  ] as const) {
    assert.ok(!isVersion(engine, want, have), `${engine} ${want} ${have}`);
  }
});

test("a version is of one major version", () => {
  assert.equal(majorOf("postgres", "16.8"), "16");
  assert.equal(majorOf("mysql", "8.0.43"), "8.0");
  assert.equal(majorOf("sqlserver-ex", "15.00.4316.3.v1"), "15");
  assert.equal(majorOf("oracle-ee-cdb", "19.0.0.0.ru-2024-01.rur-2024-01.r1"), "19");
});

test("the order of versions is one: what is newer than another is not older, and it goes on", () => {
  fc.assert(
    fc.property(VERSIONS, VERSIONS, VERSIONS, (one, other, third) => {
      const sign = (left: string, right: string): number => Math.sign(compareVersions(left, right));
      assert.equal(sign(one, one), 0);
      assert.equal(sign(one, other) + sign(other, one), 0);
      if (sign(one, other) <= 0 && sign(other, third) <= 0) assert.ok(sign(one, third) <= 0);
    }),
  );
});
