import assert from "node:assert/strict";
import { test } from "node:test";
import { clientReader, overview } from "@gatewright/explain";
import { answeringClient, refusing } from "../testing/answering.ts";
import { narrowingReader } from "./narrowing-reader.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");

/** Hostname requests and Applications in two namespaces; lists of all of these kinds are forbidden. */
function reading(isForbidden: (plural: string) => boolean): ReturnType<typeof narrowingReader> {
  const client = answeringClient((_, path) => {
    const [, namespace, plural = ""] = /(?:\/namespaces\/([^/]+))?\/([a-z0-9]+)(?:\?|$)/.exec(path) ?? [];
    if (namespace === undefined && isForbidden(plural)) return refusing(403, "Forbidden", `may not list ${plural}`);
    const kinds: Record<string, readonly [string, string]> = {
      applications: ["cloudnative.elide.dev/v1", "Application"],
      gatewayhostnamerequests: ["gateway.opendi.com/v1alpha1", "GatewayHostnameRequest"],
    };
    const [apiVersion, kind] = kinds[plural] ?? ["v1", "Other"];
    const homes = kinds[plural] === undefined ? [] : ["shop", "rival"];
    const items = homes
      .filter((home) => namespace === undefined || home === namespace)
      .map((home) => ({ apiVersion, kind, metadata: { namespace: home, name: "web" }, spec: { hostname: "a.b" } }));
    return [200, { apiVersion, kind: `${kind}List`, metadata: { resourceVersion: "1" }, items }];
  });
  return narrowingReader(clientReader(client), "shop");
}

async function homes(reader: ReturnType<typeof narrowingReader>): Promise<Record<string, readonly string[]>> {
  const { groups } = await overview(reader, { now: NOW });
  assert.deepEqual(
    groups.flatMap(({ unread }) => unread),
    [],
  );
  const told = groups.filter(({ rows }) => rows.length > 0);
  return Object.fromEntries(told.map(({ id, rows }) => [id, rows.map(({ subject }) => subject.namespace ?? "")]));
}

test("a kind that may not be read of all namespaces hides nothing of the others, and is told", async () => {
  const reader = reading((plural) => plural === "applications");
  assert.deepEqual(await homes(reader), { applications: ["shop"], hostnames: ["rival", "shop"] });
  assert.equal(reader.told(), "Only namespace shop of applications.cloudnative.elide.dev.");
});

test("who may read one namespace alone is told that it is the only one", async () => {
  const reader = reading(() => true);
  assert.deepEqual(await homes(reader), { applications: ["shop"], hostnames: ["shop"] });
  assert.equal(reader.told(), "Only namespace shop.");
});

test("who may read everything is told nothing", async () => {
  const reader = reading(() => false);
  assert.deepEqual(await homes(reader), { applications: ["rival", "shop"], hostnames: ["rival", "shop"] });
  assert.equal(reader.told(), undefined);
});
