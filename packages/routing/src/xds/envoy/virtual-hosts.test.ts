import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { RouteConfigurationSchema } from "@gatewright/gateway-wire/xds";
import { deliverable } from "../../model/testing/deliverables.ts";
import { dialledTraits } from "./destinations.ts";
import { DEFAULT_ENVOY_SETTINGS } from "./envoy-settings.ts";
import type { EncodedRow } from "./route-messages.ts";
import { translatedRoute } from "./translated-route.ts";
import { VirtualHosts } from "./virtual-hosts.ts";

function rows(name: string, prefix: string, ...hosts: readonly string[]): readonly EncodedRow[] {
  const spec = { match: [{ uri: { prefix } }], hosts: [...hosts], directResponse: { status: 200 } };
  return translatedRoute(deliverable(name, { spec }), () => dialledTraits("x"), DEFAULT_ENVOY_SETTINGS).rows;
}

function described(hosts: VirtualHosts): Record<string, string> {
  const { virtualHosts } = fromBinary(RouteConfigurationSchema, hosts.encoded("http", "plain"));
  return Object.fromEntries(
    virtualHosts.map(({ domains, routes }) => [
      domains.join(),
      routes.map(({ name }) => name.replace("APIRoute shop/", "")).join(" "),
    ]),
  );
}

test("each host has its own rows, then those of wildcards around it, then those of all", () => {
  const hosts = new VirtualHosts();
  const all = [
    rows("any", "/"),
    rows("wide", "/", "*.test"),
    rows("narrow", "/", "*.shop.test"),
    rows("own", "/", "a.shop.test"),
    rows("deep", "/x", "a.shop.test"),
  ].flat();
  for (const row of all) hosts.add(row);
  assert.deepEqual(described(hosts), {
    "*": "any",
    "*.test": "wide any",
    "*.shop.test": "narrow wide any",
    "a.shop.test": "deep own narrow wide any",
  });
  for (const row of all.toReversed()) hosts.remove(row);
  assert.deepEqual(described(hosts), {});
});
