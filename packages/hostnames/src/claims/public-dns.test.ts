import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectDns } from "./public-dns.ts";
import type { PublicDns } from "./public-dns.ts";

const inspected = {
  record: { name: "_x.shop.example.com", value: "_y.acm-validations.aws" },
  hostname: "shop.example.com",
  zone: { name: "example.com", nameServers: ["ns-1.awsdns.com"] },
};
const dns = (more: Partial<PublicDns> = {}): PublicDns => ({
  cname: async () => [],
  issuers: async () => [],
  nameServers: async () => ["ns-1.awsdns.com."],
  ...more,
});
const { signal } = new AbortController();

const cases: readonly (readonly [what: string, dns: PublicDns, says: RegExp])[] = [
  ["CAA records that leave Amazon out", dns({ issuers: async () => ["letsencrypt.org"] }), /let only letsencrypt.org/],
  [
    "a domain that is delegated elsewhere",
    dns({ nameServers: async () => ["ns.other.net"] }),
    /delegates example.com to ns.other.net/,
  ],
  ["a domain that is delegated nowhere", dns({ nameServers: async () => [] }), /nowhere/],
  ["a record that is not there", dns(), /does not have it/],
  ["a record that says something else", dns({ cname: async () => ["else.net"] }), /answers else.net instead/],
  ["nothing, where all is right", dns({ cname: async () => ["_Y.acm-validations.aws."] }), /^$/],
  ["nothing, where DNS cannot be asked", dns({ cname: async () => undefined, issuers: async () => undefined }), /^$/],
];

for (const [what, answers, says] of cases) {
  test(`public DNS tells of ${what}`, async () => {
    assert.match(await inspectDns(answers, inspected, signal), says);
  });
}
