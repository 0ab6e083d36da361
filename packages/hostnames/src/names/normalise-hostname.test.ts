import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { normaliseHostname } from "./normalise-hostname.ts";
import { hostnames } from "./testing/hostnames.ts";

const label63 = "a".repeat(63);
const name128 = `${label63}.${"b".repeat(61)}.de`;

suite("normaliseHostname", () => {
  const taken: Readonly<Record<string, string>> = {
    "opendi.com": "opendi.com",
    "Test.OpenDI.com": "test.opendi.com",
    "test.opendi.com.": "test.opendi.com",
    "*.opendi.com": "*.opendi.com",
    "*.A.opendi.COM.": "*.a.opendi.com",
    "xn--mnchen-3ya.de": "xn--mnchen-3ya.de",
    "XN--MNCHEN-3YA.de": "xn--mnchen-3ya.de",
    "xn--eckwd4c7c.museum": "xn--eckwd4c7c.museum",
    "opendi.com.evil.com": "opendi.com.evil.com",
    "evil-opendi.com": "evil-opendi.com",
    "r3---sn-a.example.com": "r3---sn-a.example.com",
    "1.2.example": "1.2.example",
    "1e100.net": "1e100.net",
    [`${label63}.com`]: `${label63}.com`,
    [name128]: name128,
    [`${name128}.`]: name128,
  };
  for (const [text, hostname] of Object.entries(taken)) {
    test(`takes ${text.slice(0, 40)}`, () => assert.deepEqual(normaliseHostname(text), { hostname }));
  }

  const refused: readonly (readonly [text: string, why: RegExp])[] = [
    ["", /empty/],
    [".", /nothing between/],
    ["opendi.com..", /nothing between/],
    [".opendi.com", /nothing between/],
    ["a..opendi.com", /nothing between/],
    ["\u212Aube.opendi.com", /punycode/], // Kelvin sign, whose lower case is k
    ["\u0130.opendi.com", /punycode/], // lower case of two code points
    ["\uFF4Fpendi.com", /punycode/], // full-width o
    ["opendi\u3002com", /punycode/], // ideographic full stop
    ["opendi\uFF0Ecom", /punycode/],
    ["open\u00ADdi.com", /punycode/], // soft hyphen
    ["open\u200Bdi.com", /punycode/], // zero-width space
    ["\u017Fhop.com", /punycode/], // long s
    ["\u043Ependi.com", /punycode/], // Cyrillic o
    ["m\u00FCnchen.de", /punycode/],
    ["xn--pendi-iye.com", /mixed scripts/], // the same Cyrillic o
    ["xn--a.com", /not punycode/],
    ["xn--opendi-.com", /begin and end/],
    ["xn--abc-.com", /begin and end/],
    ["xn--999999999.com", /not punycode/],
    ["*.*.opendi.com", /wildcard/],
    ["a.*.opendi.com", /wildcard/],
    ["*opendi.com", /wildcard/],
    ["a*.opendi.com", /wildcard/],
    ["opendi.*", /wildcard/],
    ["*", /below a domain/],
    ["*.com", /below a domain/],
    ["com", /below a domain/],
    ["a.c", /below a domain/],
    ["opendi.com:443", /port/],
    ["opendi.com/", /path/],
    ["https://opendi.com", /scheme/],
    ["user@opendi.com", /user/],
    ["opendi%2ecom", /alone/],
    ["a_b.opendi.com", /underscore/],
    ["-a.opendi.com", /begin and end/],
    ["a-.opendi.com", /begin and end/],
    ["opendi.com\t", /letters a to z/],
    ["opendi.com\r\n", /letters a to z/],
    [" opendi.com", /letters a to z/],
    ["opendi.com\u0000", /letters a to z/],
    ["1.2.3", /IP address/],
    ["0x7f.1", /IP address/],
    ["127.0.0.1", /IP address/],
    ["a.0x7f", /IP address/],
    ["opendi.0com", /IP address/],
    ["a.xn--p1ai", /letters only/],
    ["xn--eckwd4c7c.xn--zckzah.", /letters only/],
    ["opendi.c0m", /letters only/],
    ["[::1]", /alone/],
    [`${"a".repeat(64)}.com`, /63 characters/],
    [`a.${name128}`, /a hostname 128/],
    [`${name128}..`, /nothing between/],
    ["__proto__", /underscore/],
  ];
  for (const [text, why] of refused) {
    test(`refuses ${JSON.stringify(text).slice(0, 40)}`, () => {
      const answer = normaliseHostname(text);
      assert.ok("problem" in answer, JSON.stringify(answer));
      assert.match(answer.problem, why);
    });
  }

  test("a normalised hostname is normalised", () => {
    fc.assert(fc.property(hostnames, (hostname) => assert.deepEqual(normaliseHostname(hostname), { hostname })));
  });

  test("whatever is taken differs from the text by case and one dot only, and stays as it is", () => {
    const texts = fc.oneof(hostnames, fc.string({ unit: "binary", maxLength: 20 }), fc.domain(), fc.webUrl());
    fc.assert(
      fc.property(texts, fc.constantFrom("", ".", ".."), (text, dots) => {
        const answer = normaliseHostname(text + dots);
        if ("problem" in answer) return;
        assert.match(answer.hostname, /^[-a-z0-9.*]+$/);
        assert.equal(text.toLowerCase().replace(/\.$/, ""), answer.hostname);
        assert.deepEqual(normaliseHostname(answer.hostname), answer);
      }),
    );
  });

  test("case and one dot at the end make no difference", () => {
    fc.assert(
      fc.property(hostnames, fc.infiniteStream(fc.boolean()), (hostname, upper) => {
        const text = [...hostname].map((letter) => (upper.next().value ? letter.toUpperCase() : letter)).join("");
        assert.deepEqual(normaliseHostname(`${text}.`), { hostname });
      }),
    );
  });
});
