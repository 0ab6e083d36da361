import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ask, routeNamed } from "../../table/sample-rows.ts";
import { buildTable } from "../../table/routing-table.ts";
import { apiRouteRows } from "./api-route-rows.ts";

const piece = fc.constantFrom("a", "b", ".", "*", "?", "{n}", "(", "}", "{");
const element = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));
const glob = fc
  .tuple(
    fc.array(fc.oneof(element, fc.constant("*"), fc.constant("{id}")), { minLength: 1, maxLength: 3 }),
    fc.boolean(),
  )
  .map(([elements, open]) => `/${elements.join("/")}${open ? "/**" : ""}`)
  .filter((text) => !text.replace(/\/\*\*$/, "").includes("**"));
const path = fc
  .array(fc.array(fc.constantFrom("a", "b", ".", "(", "}", "{"), { maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .map((elements) => `/${elements.map((pieces) => pieces.join("")).join("/")}`);

/** What a prefix with wildcards or names means, element by element. */
function means(prefix: string, given: string): boolean {
  const isGlob = /[*?]/.test(prefix);
  const open = !isGlob || prefix.endsWith("/**");
  const wanted = (prefix.endsWith("/**") ? prefix.slice(0, -"/**".length) : prefix).split("/");
  const elements = given.split("/");
  if (open ? elements.length < wanted.length : elements.length !== wanted.length) return false;
  return wanted.every((want, at) => elementMeans(want, elements[at] ?? "", isGlob));
}

function elementMeans(want: string, given: string, isGlob: boolean): boolean {
  if (/^\{[^{}]*\}$/.test(want) || (isGlob && want === "*")) return given !== "";
  const source = want.replaceAll(/\{n\}|[*?]|[^*?]/g, (part) => {
    if (part === "{n}") return "[^/]+";
    if (isGlob && part === "*") return "[^/]*";
    return isGlob && part === "?" ? "[^/]" : `\\u{${part.charCodeAt(0).toString(16)}}`;
  });
  return new RegExp(`^${source}$`, "u").test(given) && (given !== "" || want === "");
}

test("prefixes with names and wildcards are for the paths that their elements say", () => {
  fc.assert(
    fc.property(glob, fc.array(path, { minLength: 5, maxLength: 20 }), (prefix, paths) => {
      const { rows, findings } = apiRouteRows({ match: [{ uri: { prefix } }] }, routeNamed("r"), { version: "1" });
      const names = prefix.match(/\{(n|id)\}/g) ?? [];
      assert.equal(findings.length, new Set(names).size < names.length ? 1 : 0);
      if (findings.length > 0) return;
      const table = buildTable(rows);
      for (const given of paths)
        assert.equal(table.match(ask(`GET h${given}`)) !== undefined, means(prefix, given), `${prefix} for ${given}`);
    }),
    { numRuns: 300 },
  );
});

test("paths may be written without the escapes that requests have to have, or with needless ones", () => {
  const cases: readonly (readonly [uri: { exact: string } | { prefix: string }, asked: string])[] = [
    [{ exact: "/café" }, "/caf%C3%A9"],
    [{ prefix: "/a b" }, "/a%20b/c"],
    [{ prefix: "/%68ello" }, "/hello/you"],
    [{ prefix: "/größe/{id}" }, "/gr%C3%B6%C3%9Fe/7"],
    [{ prefix: "/größe-*" }, "/gr%C3%B6%C3%9Fe-7"],
  ];
  for (const [uri, asked] of cases) {
    const { rows, findings } = apiRouteRows({ match: [{ uri }] }, routeNamed("r"), { version: "1" });
    assert.deepEqual(findings, []);
    assert.ok(buildTable(rows).match(ask(`GET h${asked}`)), asked);
  }
});
