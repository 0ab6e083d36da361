import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import type { Gateway, LoadBalancerConfiguration } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import type { Claim } from "../claims/claim.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { confirmDesign, OldClaimsError } from "./confirm-design.ts";
import { designOf } from "./design.ts";
import type { PoolObservation } from "./design.ts";
import { hostnameListener } from "./listeners.ts";
import { profileOf } from "./pool-gateways.ts";
import { NEWEST_GATEWAY_AWS } from "./pool-kinds.ts";
import { arnOf, claim, WISH } from "./testing/claims.ts";

const [A, B] = [claim("a.example.com"), claim("b.example.com")];
const released: Claim = { ...B, status: { ...B.status!, released: { at: "2030-01-01T00:00:00Z", step: "listener" } } };
const version = (each: Claim, resourceVersion: string): Claim => ({
  ...each,
  metadata: { ...each.metadata, resourceVersion },
});

/** Asks what a server that has `live` says to the design for `cached`, on a Gateway that was written for `before`. */
async function confirm(cached: readonly Claim[], live: readonly Claim[], before: readonly Claim[] | undefined) {
  const asked: string[] = [];
  const find = async ({ name }: { name: string }) => {
    asked.push(name);
    return live.find(({ metadata }) => metadata.name === name);
  };
  const client = { for: () => ({ find }) } as unknown as Client;
  const [defaultCertificate, ...certificates] = (before ?? []).map(({ status }) => status?.certificate?.arn ?? "");
  const entry = { protocolPort: "HTTPS:443", defaultCertificate, certificates };
  const seen: PoolObservation = {
    name: "gw-01",
    profile: profileOf(WISH),
    claims: cached,
    gateway:
      before &&
      ({
        metadata: {},
        spec: { listeners: before.map((each) => hostnameListener(each, "edge")) },
      } as unknown as Immutable<Gateway>),
    configuration:
      before &&
      ({ metadata: {}, spec: { listenerConfigurations: [entry] } } as unknown as Immutable<LoadBalancerConfiguration>),
    listenerSets: [],
    replaced: new Map(),
    certificate: () => ({ status: "ISSUED" }),
    zone: undefined,
    now: 0,
  };
  const design = designOf(seen, DEFAULT_SETTINGS, NEWEST_GATEWAY_AWS);
  await confirmDesign(client, seen, design, new AbortController().signal);
  return asked;
}

test("a load balancer is made only for a claim that the server still has there", async () => {
  assert.deepEqual(await confirm([A], [A], undefined), ["a.example.com"]);
  await assert.rejects(confirm([A], [], undefined), OldClaimsError);
  await assert.rejects(confirm([A], [{ ...A, status: { ...A.status!, gateway: "gw-02" } }], undefined), OldClaimsError);
});

test("a listener goes only if the server says so too", async () => {
  await assert.rejects(confirm([A], [A, B], [A, B]), OldClaimsError, "placed by a leader before this one");
  assert.deepEqual(await confirm([A], [A], [A, B]), ["b.example.com"]);
  assert.deepEqual(await confirm([A, released], [A, B], [A, B]), [], "what is given up is never taken back");
  const waiting = version({ ...B, status: { ...B.status!, certificate: {} } }, "7");
  assert.deepEqual(await confirm([A, waiting], [A, waiting], [A, B]), ["b.example.com"]);
});

test("a certificate goes only if no hostname there has got it meanwhile", async () => {
  const renewed: Claim = { ...A, status: { ...A.status!, certificate: { arn: arnOf("new") } } };
  await assert.rejects(confirm([A], [renewed], [renewed]), OldClaimsError);
  assert.deepEqual(await confirm([renewed], [renewed], [A]), ["a.example.com"]);
  assert.deepEqual(await confirm([A], [A], [A]), [], "what nobody takes away needs no question");
});
