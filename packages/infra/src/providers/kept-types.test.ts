import assert from "node:assert/strict";
import { test } from "node:test";
import { isKeptFromAll, isKeptFromProviders } from "./kept-types.ts";

test("tokens and releases are kept from all, other forms of Kubernetes from providers, and the rest from nobody", () => {
  const told = (type: string | undefined): string =>
    isKeptFromAll(type) ? "all" : isKeptFromProviders(type) ? "providers" : "nobody";
  for (const type of [
    "kubernetes.io/service-account-token",
    "bootstrap.kubernetes.io/token",
    "helm.sh/release.v1",
    "helm.sh/anything",
  ])
    assert.equal(told(type), "all", type);
  for (const type of ["kubernetes.io/tls", "kubernetes.io/basic-auth", "kubernetes.io/dockerconfigjson"])
    assert.equal(told(type), "providers", type);
  for (const type of [undefined, "", "Opaque", "example.com/helm.sh/release", "shop.example/keys"])
    assert.equal(told(type), "nobody", type);
});
