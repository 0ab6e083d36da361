import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { outputData } from "./output-data.ts";
import { render } from "./template.ts";

const VALUES = new Map([
  ["endpoint", "db.example"],
  ["port", "5432"],
  ["odd", "${port} $& $1"],
]);
const text = (template: string): string => {
  const rendered = render(template, VALUES);
  return "text" in rendered ? rendered.text : `problem: ${rendered.problem}`;
};

test("names stand for values, which are taken as they are", () => {
  assert.equal(text("postgres://${endpoint}:${port}/shop"), "postgres://db.example:5432/shop");
  assert.equal(text("${odd}"), "${port} $& $1");
  assert.equal(text("$HOME costs 5$ {}"), "$HOME costs 5$ {}");
  assert.equal(text("$${endpoint}"), "${endpoint}");
});

test("a name without a value is a problem that says which there are", () => {
  assert.equal(text("${host}"), "problem: names ${host}, but the outputs are endpoint, odd, port.");
  assert.match(text("${}"), /names \$\{\}/);
  assert.match(text("a ${endpoint"), /without its \}/);
  assert.match(text("${__proto__}"), /names \$\{__proto__\}/);
});

test("law: any text can be written, by doubling the dollar before a brace", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("$", "{", "}", "a", "é") }), (wanted) => {
      assert.equal(text(wanted.replaceAll("${", "$$${")), wanted);
    }),
  );
});

test("law: values come through whatever they are, each in its place", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const rendered = render(
        "<${a}|${b}|${a}>",
        new Map([
          ["a", a],
          ["b", b],
        ]),
      );
      assert.deepEqual(rendered, { text: `<${a}|${b}|${a}>` });
    }),
  );
});

test("without templates every output goes under its own name, and what is secret never into a ConfigMap", () => {
  const outputs = { endpoint: "db.example", password: "hidden" };
  const secret = new Set(["password"]);
  assert.deepEqual(outputData({ kind: "Secret", name: "s" }, outputs, secret), { data: outputs });
  assert.deepEqual(outputData({ kind: "ConfigMap", name: "s" }, outputs, secret), { data: { endpoint: "db.example" } });
  const templates = { URL: "${endpoint}:${password}" };
  assert.deepEqual(outputData({ kind: "ConfigMap", name: "s", data: templates }, outputs, secret), {
    problem:
      "writeOutputsTo.data: URL names ${password}, but the outputs are endpoint. What is secret only goes to a Secret.",
  });
});

test("a name that nothing can have is told, and asks nobody", () => {
  for (const name of ["", "a/b", "%2e%2e", ".."]) {
    assert.match(JSON.stringify(outputData({ kind: "Secret", name }, {}, new Set())), /"problem":"writeOutputsTo.name/);
  }
});
