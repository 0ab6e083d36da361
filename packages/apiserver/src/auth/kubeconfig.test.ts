import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { kubeconfigFor } from "./kubeconfig.ts";

test("a kubeconfig has one context, with what was given and nothing else", () => {
  assert.deepEqual(parse(kubeconfigFor({ server: "http://127.0.0.1:3000" })), {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "gatewright", cluster: { server: "http://127.0.0.1:3000", "insecure-skip-tls-verify": true } }],
    users: [{ name: "gatewright", user: {} }],
    contexts: [{ name: "gatewright", context: { cluster: "gatewright", user: "gatewright" } }],
    "current-context": "gatewright",
  });
  const full = parse(
    kubeconfigFor({ server: "https://x", ca: "CA", token: "t: 1", clientCert: "C", clientKey: "K", name: "n" }),
  );
  assert.deepEqual(full.clusters[0].cluster, { server: "https://x", "certificate-authority-data": "Q0E=" });
  assert.deepEqual(full.users[0].user, { token: "t: 1", "client-certificate-data": "Qw==", "client-key-data": "Sw==" });
});
