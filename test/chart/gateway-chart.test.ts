import assert from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "@gatewright/gateway";
import { DEFAULT_ENVOY_SETTINGS } from "@gatewright/routing";
import { parse } from "yaml";
import { MINORS, tools } from "../tools/layer.ts";
import { suite } from "../tools/suite.ts";
import { linted, rendered, valueSet } from "./rendered.ts";
import { VALUE_SETS } from "./value-sets.ts";

const OURS = VALUE_SETS.filter(({ chart }) => chart !== "gatewright");

for (const minor of MINORS) {
  const found = tools(minor);
  suite(`the charts of gateways and kinds, with helm of ${minor}`, "missing" in found ? found.missing : false, () => {
    if ("missing" in found) return;
    const { helm } = found;

    test("are without fault for all sets of values", async () => {
      for (const set of OURS) await linted(helm, set);
    });

    test("a gateway gets settings that it takes, and the files that these name", async () => {
      const sets = OURS.filter(({ about }) => about.startsWith("our own gateway"));
      assert.equal(sets.length, 3);
      for (const set of sets) {
        const chart = await rendered(helm, set);
        const [text = ""] = Object.values(chart.one("ConfigMap", chart.one("Deployment").metadata.name).data ?? {});
        const { settings, warnings } = readSettings(parse(text), "/etc/gatewright/settings/gateway.yaml");
        assert.deepEqual(warnings, []);
        assert.equal(settings.operator?.namespace, set.namespace);
        const mounts = chart.container.volumeMounts?.map(({ mountPath }) => mountPath) ?? [];
        const named = [...text.matchAll(/(?:File|Directory): (\S+)/g)].map(([, file = ""]) => file);
        assert.ok(named.length >= 4);
        for (const file of named)
          assert.ok(
            mounts.some((mount) => file.startsWith(mount)),
            file,
          );
        const ports = chart.container.ports?.map(({ containerPort }) => containerPort);
        assert.deepEqual(ports, [...settings.listeners.map(({ port }) => port), settings.admin.port]);
      }
    });

    test("Envoys ask the operator in their own name, listen where it tells them to, and show nothing that changes them", async () => {
      const chart = await rendered(helm, valueSet("Envoys"));
      const { data } = chart.one("ConfigMap");
      const bootstrap = parse(data?.["envoy.yaml"] ?? "");
      assert.equal(bootstrap.node.cluster, "edge/envoys");
      assert.equal(bootstrap.admin.address.socket_address.address, "127.0.0.1");
      const ports = chart.container.ports?.map(({ containerPort }) => containerPort);
      assert.deepEqual(ports, [...DEFAULT_ENVOY_SETTINGS.listeners.map(({ port }) => port), 9902]);
      assert.ok(chart.container.args?.includes("$(POD_NAME)"));
    });

    test("pods of gateways may do nothing on their node, and have no token", async () => {
      for (const about of ["our own gateway", "Envoys"]) {
        const { pod, container } = await rendered(helm, valueSet(about));
        assert.equal(pod.automountServiceAccountToken, false);
        assert.equal(pod.securityContext?.runAsNonRoot, true);
        assert.deepEqual(container.securityContext?.capabilities, { drop: ["ALL"] });
        assert.equal(container.securityContext?.readOnlyRootFilesystem, true);
      }
    });

    test("kinds are those of the parts, and stay when their release goes", async () => {
      const kinds = await rendered(helm, valueSet("the kinds of routing"));
      assert.equal(kinds.objects.length, 7);
      for (const { metadata } of kinds.objects) {
        assert.ok(metadata.name?.endsWith(".avapigw.io"));
        assert.equal(metadata.annotations?.["helm.sh/resource-policy"], "keep");
      }
    });

    test("values that make no sense are refused, and told", async () => {
      const refused = (set: readonly string[], message: RegExp): Promise<void> =>
        assert.rejects(rendered(helm, { ...valueSet("our own gateway"), set }), message, set.join(" "));
      await refused(["image.repository=x", "listeners.http.enabled=false"], /nothing would be served/);
      await refused(["image.repository=x", "listeners.https.enabled=true"], /certificateSecret is needed/);
      await refused(["dataPlane=envoy"], /envoy\.image is needed/);
      await refused(["dataPlane=envoy", "envoy.image=x", "listeners.http.port=80"], /listeners\.http\.port is 8080/);
      await refused(["dataPlane=nginx"], /dataPlane/);
    });
  });
}
