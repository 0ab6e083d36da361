import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import { LoadBalancerConfiguration } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { PoolObjects } from "./pool-objects.ts";
import type { PoolContext } from "./pool-objects.ts";

const withCertificates = (...certificates: string[]): Applied<LoadBalancerConfiguration> => ({
  metadata: { namespace: "edge", name: "gw-01-config" },
  spec: { listenerConfigurations: [{ protocolPort: "HTTPS:443", ...(certificates.length > 0 && { certificates }) }] },
});

/** A server with one object, whose answers can be lost. */
function serverOfOne() {
  const state: { object?: Immutable<LoadBalancerConfiguration>; losesReplies: boolean } = { losesReplies: false };
  const apply = async (desired: Applied<LoadBalancerConfiguration>) => {
    state.object = desired as unknown as Immutable<LoadBalancerConfiguration>;
    if (state.losesReplies) throw new Error("no reply");
    return state.object;
  };
  const context = {
    client: { for: () => ({ apply, find: async () => state.object }) },
    cached: () => ({ get: () => state.object }),
    signal: new AbortController().signal,
  } as unknown as PoolContext;
  return { state, context };
}

test("what was wanted before an apply that may have been done is written again", async () => {
  const { state, context } = serverOfOne();
  const objects = new PoolObjects();
  const [before, after] = [withCertificates(), withCertificates("arn:b")];
  await objects.apply(context, LoadBalancerConfiguration, before);
  assert.equal(objects.need(context, LoadBalancerConfiguration, before), "none");
  state.losesReplies = true;
  await assert.rejects(objects.apply(context, LoadBalancerConfiguration, after), /no reply/);
  assert.equal(objects.need(context, LoadBalancerConfiguration, before), "news");
});

test("drift stays drift when putting it right has failed", async () => {
  const { state, context } = serverOfOne();
  const objects = new PoolObjects();
  await objects.apply(context, LoadBalancerConfiguration, withCertificates("arn:a"));
  const changed = withCertificates("arn:x") as unknown as Immutable<LoadBalancerConfiguration>;
  state.object = changed;
  state.losesReplies = true;
  await assert.rejects(objects.apply(context, LoadBalancerConfiguration, withCertificates("arn:a")), /no reply/);
  state.object = changed;
  assert.equal(objects.need(context, LoadBalancerConfiguration, withCertificates("arn:a")), "drift");
});
