import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { ApiObject } from "@gatewright/kube";
import { DEFAULT_INSTALL_SETTINGS, installation } from "@gatewright/operator";
import { parseAllDocuments } from "yaml";
import { readOperatorOptions } from "../../packages/cli/src/operator/operator-options.ts";
import { run } from "../tools/command.ts";
import { MINORS, tools } from "../tools/layer.ts";
import { suite } from "../tools/suite.ts";
import { Rendered, rendered } from "./rendered.ts";

const CONFIG = join(import.meta.dirname, "..", "..", "config");
/** A release and a kustomization tell of themselves, which the other does not have. */
const OF_HELM = /^(?:helm\.sh\/chart|app\.kubernetes\.io\/(?:managed-by|version))$/;

for (const minor of MINORS) {
  const found = tools(minor);
  suite(`config/ with kubectl ${minor}`, "missing" in found ? found.missing : false, () => {
    if ("missing" in found) return;
    const built = async (folder: string): Promise<Rendered> => {
      const { code, stdout, stderr } = await run(found.kubectl, ["kustomize", join(CONFIG, folder)]);
      assert.equal(code, 0, stderr);
      return new Rendered(
        parseAllDocuments(stdout).map((document) => {
          const { apiVersion, kind, metadata } = document.toJS() as ApiObject;
          return { text: document.toString(), apiVersion, kind, name: metadata.name ?? "" };
        }),
      );
    };

    test("config/default runs the operator as the chart does", async () => {
      const ours = await built("default");
      const chart = await rendered(found.helm, {
        chart: "gatewright",
        release: "gatewright",
        namespace: "gatewright",
        set: ["image.repository=gatewright"],
      });
      for (const kind of ["Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"])
        assert.deepEqual(plain(ours.one(kind)), plain(chart.one(kind)), kind);
      const { data = {} } =
        ours.all("ConfigMap").find(({ metadata }) => metadata.name?.startsWith("gatewright-")) ?? {};
      const [, ...args] = chart.container.args ?? [];
      const [one, other] = [readOperatorOptions([], data), readOperatorOptions(args, {})];
      assert.ok(one !== "help" && other !== "help");
      const sorted = ({ parts, ...rest }: typeof one) => ({ ...rest, parts: [...parts].sort() });
      assert.deepEqual(sorted(one), sorted(other));
    });

    test("config/all has what all parts need", async () => {
      const ours = await built("all");
      const { rbac, policy, webhook, classes, crds } = installation(DEFAULT_INSTALL_SETTINGS);
      for (const object of [...rbac, ...policy, ...webhook, ...classes, ...crds]) {
        const { namespace, name } = object.metadata;
        const there = ours
          .all(object.kind ?? "")
          .filter(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
        assert.equal(there.length, 1, `${object.kind} ${name}`);
      }
    });

    test("samples are the examples", async () => {
      const kinds = new Set((await built("samples")).objects.map(({ kind }) => kind));
      for (const kind of ["Application", "GatewayHostnameRequest", "S3Bucket", "APIRoute"])
        assert.ok(kinds.has(kind), kind);
    });
  });
}

/** Without what only one of the two tells, and without the way by which options come. */
function plain(object: unknown): unknown {
  return JSON.parse(JSON.stringify(object), (name, value) => {
    if (OF_HELM.test(name) || name === "args" || name === "envFrom") return undefined;
    return value;
  });
}
