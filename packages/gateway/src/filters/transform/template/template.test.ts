import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Json } from "@gatewright/kube";
import { madeCall } from "../../testing/made-call.ts";
import { TemplateSyntaxError } from "./template-parser.ts";
import { compileTemplate } from "./template.ts";
import type { TemplateKind } from "./template.ts";

const CALL = madeCall({
  target: "/users/7?page=2",
  fields: { "x-user": 'say "hi"' },
  identity: {
    method: "jwt",
    subject: "ann",
    roles: [],
    groups: [],
    scopes: [],
    permissions: [],
    claims: new Map([["sub", "ann"]]),
  },
});

const CASES: readonly [template: string, body: Json, expected: string][] = [
  ['{"name": "{{ .user.name }}"}', { user: { name: "Ann" } }, '{"name": "Ann"}'],
  ['{"n": {{ .n }}}', { n: 7 }, '{"n": 7}'],
  ['{"n": {{ .n }}}', {}, '{"n": null}'],
  ['{"n": "{{ .n }}"}', {}, '{"n": ""}'],
  ['{"all": {{ json .user }}}', { user: { a: [1] } }, '{"all": {"a":[1]}}'],
  ['{"all": {{ .user | json }}}', { user: true }, '{"all": true}'],
  ['{"all": {{ . }}}', [1], '{"all": [1]}'],
  ['{"all": {{ .body }}, "x": {{ .request.x }}}', { x: 1 }, '{"all": {"x":1}, "x": 1}'],
  ["[{{ range .xs }}{{ .id }},{{ end }}0]", { xs: [{ id: 1 }, { id: 2 }] }, "[1,2,0]"],
  ["[{{ range .xs }}{{ . }},{{ else }}9,{{ end }}0]", { xs: [] }, "[9,0]"],
  ["[{{ range .xs }}{{ $.n }},{{ end }}0]", { xs: [1], n: 5 }, "[5,0]"],
  ["{{ if .on }}1{{ else }}2{{ end }}", { on: "" }, "2"],
  ["{{ if .on }}1{{ else }}2{{ end }}", { on: [0] }, "1"],
  ["[ {{- /* nothing */ -}} 1 ]", {}, "[1 ]"],
  ['{"u": "{{ .headers.X-User }}", "ip": "{{ .context.client.ip }}"}', {}, '{"u": "say \\"hi\\"", "ip": "192.0.2.7"}'],
  ['"{{ .jwt.sub }}"', { jwt: { sub: "mallory" } }, '"ann"'],
];
for (const [template, body, expected] of CASES)
  test(`${template} of ${JSON.stringify(body)}`, () => {
    assert.equal(compileTemplate(template, "json").render(CALL, body), expected);
  });

test("plain text is made of what is known about the call", () => {
  const template = compileTemplate(
    "{{ .method }}:{{ .path }}:{{ .query.page }}:{{ .headers.x-user }}:{{ .query.no }}",
    "text",
  );
  assert.equal(template.render(CALL, undefined), 'GET:/users/7:2:say "hi":');
});

const WRONG: readonly [template: string, kind: TemplateKind][] = [
  ["{{ printf .x }}", "json"],
  ["{{ .x", "json"],
  ["{{ if .x }}", "json"],
  ["{{ end }}", "json"],
  ["{{ else }}", "json"],
  ["{{ if .x }}{{ else }}{{ else }}{{ end }}", "json"],
  ["{{ template }}", "json"],
  ["{{ $x := .y }}", "json"],
  ["{{ with .x }}{{ end }}", "json"],
  ["{{ index .x 0 }}", "json"],
  ["{{ }}", "json"],
  ['{{ if .x }}"{{ end }}', "json"],
  ['"{{ .x }}', "json"],
  ["{{ .nothing }}", "text"],
];
for (const [template, kind] of WRONG)
  test(`${template} is refused`, () => {
    assert.throws(() => compileTemplate(template, kind), TemplateSyntaxError);
  });

test("no value can break out of its place", () => {
  const template = compileTemplate('{"a": "{{ .v }}", "b": {{ .v }}, "c": "{{ json .v }}"}', "json");
  fc.assert(
    fc.property(fc.jsonValue(), (v) => {
      const made = JSON.parse(template.render(CALL, { v: v as Json })) as { b: unknown };
      assert.deepEqual(Object.keys(made), ["a", "b", "c"]);
      assert.deepEqual(made.b, JSON.parse(JSON.stringify(v)));
    }),
  );
});

test("whatever is written, a template is either refused or makes JSON of any body", () => {
  const piece = fc.constantFrom(
    '"',
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "1",
    "\\",
    "{{ .a }}",
    "{{ json .a }}",
    "{{ if .a }}",
    "{{ range .a }}",
    "{{ else }}",
    "{{ end }}",
    "{{",
    "}}",
  );
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join("")),
      scalar,
      scalar,
      (text, one, other) => {
        let rendered: string[];
        try {
          const template = compileTemplate(text, "json");
          rendered = [one, other].map((a) => template.render(CALL, { a: [a as Json, a as Json] }));
        } catch (error) {
          assert.ok(error instanceof TemplateSyntaxError);
          return;
        }
        // With the same shape of values, both are JSON or neither is: what values hold makes no difference.
        const valid = rendered.map((made) => {
          try {
            JSON.parse(made);
            return true;
          } catch {
            return false;
          }
        });
        assert.equal(valid[0], valid[1], text);
      },
    ),
    { numRuns: 300 },
  );
});
