import assert from "node:assert/strict";
import { test } from "node:test";
import { isForbiddenByCaa } from "./caa.ts";

const dnsWith = (records: Readonly<Record<string, readonly string[]>>) => ({
  lookup: (name: string, type: string) =>
    (records[name] ?? []).filter(() => type === "CAA").map((value) => ({ name, type, ttl: 300, value })),
});

test("without CAA records everybody may issue", () => {
  assert.equal(isForbiddenByCaa(dnsWith({}), "a.example.com"), false);
});

test("the records of the closest name count", () => {
  const dns = dnsWith({
    "example.com": ['0 issue "letsencrypt.org"'],
    "shop.example.com": ['0 issue "amazon.com; policy=ev"'],
  });
  assert.equal(isForbiddenByCaa(dns, "a.example.com"), true);
  assert.equal(isForbiddenByCaa(dns, "a.shop.example.com"), false);
});

test("for wildcards issuewild counts before issue", () => {
  const dns = dnsWith({ "example.com": ['0 issue "amazontrust.com"', '0 issuewild ";"'] });
  assert.equal(isForbiddenByCaa(dns, "example.com"), false);
  assert.equal(isForbiddenByCaa(dns, "*.example.com"), true);
});

test("records that are not about issuing forbid nothing", () => {
  const dns = dnsWith({ "example.com": ['0 iodef "mailto:a@example.com"', "nonsense"] });
  assert.equal(isForbiddenByCaa(dns, "*.example.com"), false);
});
