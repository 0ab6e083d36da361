import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { readUpOptions } from "./up-options.ts";

test("a variable that is set to nothing says nothing: data does not go into the folder one is in", () => {
  const options = readUpOptions([], { GATEWRIGHT_HOME: "", PORT: "" });
  assert.ok(options !== "help");
  assert.equal(options.home.folder, resolve(".gatewright"));
  assert.equal(options.port, 3000);
});

test("a folder for data that has no name is refused", () => {
  for (const flag of ["--data", "--home"]) {
    assert.throws(() => readUpOptions([flag, ""], {}), { name: "UsageError", message: /takes a folder/ });
  }
});

test("a zone whose name is no domain is refused", () => {
  for (const zone of ["Z1=foo..com", "Z1=-a.com", "Z1=.", "Z1", "=a.com"]) {
    assert.throws(() => readUpOptions(["--zone", zone], {}), { name: "UsageError", message: /--zone takes ID=NAME/ });
  }
  const options = readUpOptions(["--zone", "Z1=foo-1.example.com"], {});
  assert.ok(options !== "help");
  assert.deepEqual([...options.zones], [["Z1", "foo-1.example.com"]]);
});
