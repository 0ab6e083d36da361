import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import type { apiextensions } from "@gatewright/kube/api";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { crdOf } from "@gatewright/kube/define/manifests";
import { gatewayResources } from "@gatewright/resources";
import { suite } from "../tools/suite.ts";
import { schemaDifferences } from "./schema-differences.ts";
import { missing, upstreamDefinitions } from "./upstream.ts";

/** Kinds of the same releases that are not defined here, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "backendtlspolicies.gateway.networking.k8s.io": "the load balancer decides how it speaks TLS to targets",
  "tcproutes.gateway.networking.k8s.io": "for network load balancers, which hostnames do not use",
  "tlsroutes.gateway.networking.k8s.io": "for network load balancers, which hostnames do not use",
  "udproutes.gateway.networking.k8s.io": "for network load balancers, which hostnames do not use",
};

/** Paths at which a definition differs, and why. No field is left out: it would be dropped from objects. */
const DIFFERENT: Readonly<Record<string, string>> = {
  ".spec.tls.frontend.perPort": "upstream's rule says that ports are unique, which they are as the list's key",
};

suite("definitions beside those of upstream", missing, () => {
  const upstream = upstreamDefinitions();
  const theirs = (definition: ResourceDefinition): apiextensions.CustomResourceDefinition => {
    const found = upstream.get(`${definition.plural}.${definition.group}`);
    assert.ok(found);
    return found;
  };

  test("every kind is defined, or left out for a reason", () => {
    const defined = gatewayResources.map(({ plural, group }) => `${plural}.${group}`);
    assert.deepEqual([...defined, ...Object.keys(LEFT_OUT)].toSorted(), [...upstream.keys()].toSorted());
  });

  for (const definition of gatewayResources) {
    test(`${definition.kind}: every field has the same type, limits, default and keys`, () => {
      const ours = crdOf(definition).spec.versions;
      for (const version of theirs(definition).spec.versions) {
        const same = ours.find(({ name }) => name === version.name);
        assert.ok(same, version.name);
        const differences = schemaDifferences(schemaOf(same), schemaOf(version)).filter(
          (line) => DIFFERENT[line.slice(0, line.indexOf(":"))] === undefined,
        );
        assert.deepEqual(differences, [], version.name);
      }
    });

    test(`${definition.kind}: names, versions, columns and subresources are the same`, () => {
      assert.deepEqual(outline(crdOf(definition)), outline(theirs(definition)));
    });
  }
});

const schemaOf = (version: apiextensions.CustomResourceDefinition["spec"]["versions"][number]): JsonObject =>
  version.schema?.openAPIV3Schema as unknown as JsonObject;

/** What a manifest says beside schemas and descriptions. */
function outline({ metadata, spec }: apiextensions.CustomResourceDefinition): unknown {
  const { "controller-gen.kubebuilder.io/version": _tool, ...annotations } = metadata?.annotations ?? {};
  const versions = spec.versions.map(({ schema: _schema, additionalPrinterColumns, subresources, ...version }) => ({
    ...version,
    status: subresources?.status !== undefined,
    columns: additionalPrinterColumns?.map(({ description: _text, ...column }) => column),
  }));
  return {
    name: metadata?.name,
    annotations,
    spec: { ...spec, versions: versions.toSorted((a, b) => (a.name < b.name ? -1 : 1)) },
  };
}
