import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { madeAround, madeCall } from "../../filters/testing/made-call.ts";
import type { CallParts } from "../../filters/testing/made-call.ts";
import { redirectAction } from "./redirect.ts";
import type { RedirectSpec } from "./redirect.ts";

const CASES: readonly [title: string, spec: RedirectSpec, call: CallParts, location: string][] = [
  [
    "path and query stay when nothing is said",
    { host: "b.example" },
    { target: "/a/b?c=d" },
    "http://b.example/a/b?c=d",
  ],
  ["a path of its own keeps the query", { uri: "/new" }, { target: "/a?c=d" }, "http://example.com/new?c=d"],
  [
    "a query of its own comes first",
    { uri: "/new?x=1#top" },
    { target: "/a?c=d" },
    "http://example.com/new?x=1&c=d#top",
  ],
  ["the query can be left out", { stripQuery: true }, { target: "/a?c=d" }, "http://example.com/a"],
  [
    "parameters are filled in, and a name that is none stays",
    { uri: "/u/{id}/{no}" },
    { target: "/a", parameters: { id: "7 \\é%2F" } },
    "http://example.com/u/7%20%5C%C3%A9%2F/{no}",
  ],
  ["what has to be escaped is", { uri: "/a b/日" }, { target: "/a" }, "http://example.com/a%20b/%E6%97%A5"],
  [
    "another scheme brings its own port",
    { scheme: "https" },
    { authority: "example.com:8080" },
    "https://example.com/",
  ],
  [
    "the port that the client used stays",
    { uri: "/x" },
    { authority: "example.com:8080" },
    "http://example.com:8080/x",
  ],
  [
    "the port that the client used stays with another host",
    { host: "b.example" },
    { authority: "[::1]:8080" },
    "http://b.example:8080/",
  ],
  [
    "a given port wins",
    { scheme: "https", port: 8443 },
    { authority: "example.com:8080" },
    "https://example.com:8443/",
  ],
  ["the usual port is left out", { scheme: "https", port: 443 }, {}, "https://example.com/"],
  ["the usual port of the other scheme is not left out", { port: 443 }, {}, "http://example.com:443/"],
  ["a whole address says where", { uri: "https://b.example:444/x?y" }, { target: "/a" }, "https://b.example:444/x?y"],
  ["a whole address needs no path", { uri: "https://b.example" }, { target: "/a" }, "https://b.example/"],
  ["two slashes at the start become one", {}, { target: "//evil.example/x" }, "http://example.com/evil.example/x"],
  [
    "backslashes do not name a host",
    { uri: "/{rest}" },
    { parameters: { rest: "\\\\evil.example" } },
    "http://example.com/evil.example",
  ],
  [
    "a parameter cannot name a host",
    { uri: "/{rest}" },
    { parameters: { rest: "/evil.example" } },
    "http://example.com/evil.example",
  ],
  ["line ends are escaped", { uri: "/{rest}" }, { parameters: { rest: "a\r\nb" } }, "http://example.com/a%0D%0Ab"],
];

for (const [title, spec, call, location] of CASES)
  test(title, () => {
    const around = madeAround();
    const answer = redirectAction(spec, around)(madeCall(call));
    assert.equal(answer.fields.get("location"), location);
    assert.equal(answer.status, 302);
    assert.deepEqual(around.notes, []);
  });

test("the code is the given one", () => {
  assert.equal(redirectAction({ code: 308, uri: "/x" }, madeAround())(madeCall()).status, 308);
});

const WRONG: readonly RedirectSpec[] = [
  { code: 300 },
  { scheme: "ftp" },
  { uri: "//evil.example" },
  { uri: "/\\evil.example" },
  { uri: "evil" },
  { uri: "javascript:alert(1)" },
  { uri: "/a\r\nb" },
  { host: "a/b" },
  { host: "a@b" },
];
for (const spec of WRONG)
  test(`${JSON.stringify(spec)} is an error`, () => {
    const around = madeAround();
    redirectAction(spec, around);
    assert.equal(around.notes[0]?.severity, "error");
  });

test("no path and no parameter leads to another host", () => {
  const text = fc.string({
    unit: fc.constantFrom("/", "\\", ".", "@", ":", "%2F", "%5C", "\t", "\r", "\n", "#", "?", "evil", "é", "%"),
  });
  fc.assert(
    fc.property(text, text, (path, rest) => {
      for (const spec of [{}, { uri: "/{rest}" }, { uri: "/a{rest}" }] as const) {
        const call = madeCall({ parameters: { rest } });
        const answer = redirectAction(spec, madeAround())({ ...call, path: `/${path.replace(/[^!-~]|[?#]/gu, "")}` });
        const location = answer.fields.get("location") ?? "";
        assert.equal(new URL(location).host, "example.com", location);
        assert.match(location, /^http:\/\/example\.com\/(?![/\\])[!-~]*$/);
      }
    }),
  );
});
