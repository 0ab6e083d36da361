import assert from "node:assert/strict";
import { test } from "node:test";
import { dnsBy } from "./resolver-dns.ts";
import type { DnsResolver } from "./resolver-dns.ts";

const { signal } = new AbortController();
const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error(code), { code });
};

/** A stand-in for Node's resolver: what is not given is not there. */
const standIn = (more: Partial<DnsResolver> = {}): DnsResolver => ({
  resolveCname: failing("ENOTFOUND"),
  resolveCaa: failing("ENODATA"),
  resolveNs: failing("ENOTFOUND"),
  cancel: () => {},
  ...more,
});
const dns = (more: Partial<DnsResolver> = {}) => dnsBy(() => standIn(more));

test("what is not in DNS is nothing, and what cannot be asked is not known", async () => {
  assert.deepEqual(await dns().cname("a.example.com", signal), []);
  assert.deepEqual(await dns().nameServers("example.com", signal), []);
  assert.deepEqual(await dns().issuers("a.example.com", signal), []);
  const down = dns({
    resolveCname: failing("ETIMEOUT"),
    resolveCaa: failing("ESERVFAIL"),
    resolveNs: failing("EREFUSED"),
  });
  assert.equal(await down.cname("a.example.com", signal), undefined);
  assert.equal(await down.nameServers("example.com", signal), undefined);
  assert.equal(await down.issuers("a.example.com", signal), undefined);
});

test("the CAA records that are nearest upwards count, without parameters", async () => {
  const asked: string[] = [];
  const resolveCaa: DnsResolver["resolveCaa"] = async (name) => {
    asked.push(name);
    if (name !== "example.com") return failing("ENODATA")();
    return [
      { critical: 0, issue: "letsencrypt.org; validationmethods=dns-01" },
      { critical: 0, iodef: "mailto:a@example.com" },
    ];
  };
  assert.deepEqual(await dns({ resolveCaa }).issuers("a.b.example.com", signal), ["letsencrypt.org"]);
  assert.deepEqual(asked, ["a.b.example.com", "b.example.com", "example.com"]);
});

test("a semicolon alone lets nobody issue", async () => {
  const resolveCaa: DnsResolver["resolveCaa"] = async () => [{ critical: 0, issue: ";" }];
  assert.deepEqual(await dns({ resolveCaa }).issuers("example.com", signal), ["nobody"]);
});

test("a question ends with its signal", async () => {
  const stopping = new AbortController();
  const hanging = Promise.withResolvers<never>();
  const cancel = (): void => hanging.reject(Object.assign(new Error("cancelled"), { code: "ECANCELLED" }));
  const asking = dns({ resolveCname: () => hanging.promise, cancel }).cname("a.example.com", stopping.signal);
  stopping.abort(new Error("enough"));
  await assert.rejects(asking, /enough/);
});
