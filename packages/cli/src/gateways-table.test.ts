import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectedGateway } from "@gatewright/resources";
import { gatewaysTable } from "./gateways-table.ts";

const NOW = Date.parse("2030-01-01T00:10:00Z");

function connected(name: string, trouble: Partial<ConnectedGateway["spec"]> = {}): ConnectedGateway {
  return {
    apiVersion: "avapigw.io/v1alpha1",
    kind: "ConnectedGateway",
    metadata: { namespace: "gatewright", name },
    spec: {
      gateway: { namespace: "edge", name, version: "1", dialect: "gatewright", door: "stream" },
      replica: "gatewright-0",
      connectedAt: "2030-01-01T00:00:00Z",
      configuration: "v",
      behind: 0,
      refused: 0,
      ...trouble,
    },
  };
}

test("gateways with trouble come first, with what they refused in their own words", () => {
  const refusals = [{ object: "APIRoute shop/a", version: "1", field: "spec.transform", message: "is not known" }];
  const text = gatewaysTable([connected("fine"), connected("odd", { behind: 2, refused: 1, refusals })], NOW);
  assert.deepEqual(text.split("\n"), [
    "NAMESPACE  NAME  POD  SPEAKS      BY      BEHIND  REFUSED  REPLICA       CONNECTED",
    "edge       odd        gatewright  stream  2       1        gatewright-0  10m",
    "edge       fine       gatewright  stream  0       0        gatewright-0  10m",
    "",
    "odd refused APIRoute shop/a: spec.transform: is not known",
    "",
  ]);
});

test("no gateway at all is said in words", () => {
  assert.equal(gatewaysTable([], NOW), "No gateway is connected.\n");
});

test("what gateways say cannot move the terminal", () => {
  const codes = "a\u001b[2J";
  const gateway = {
    namespace: "edge",
    name: "odd",
    podName: codes,
    version: "1",
    dialect: "gatewright",
    door: "stream",
  };
  const refusals = [{ object: codes, version: "1", field: codes, message: codes }];
  const spec = { gateway, refused: 1, refusals, problem: codes } as Partial<ConnectedGateway["spec"]>;
  const text = gatewaysTable([connected("odd", spec)], NOW);
  assert.ok(!text.includes("\u001b"));
  assert.match(text, /odd refused a \[2J: a \[2J: a \[2J\nodd: a \[2J\n$/);
});
