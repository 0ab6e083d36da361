import assert from "node:assert/strict";
import { test } from "node:test";
import type { PolicyRule } from "@gatewright/kube";
import type { RbacRoles } from "@gatewright/runtime";
import { PARTS } from "../part.ts";
import type { Part } from "../part.ts";
import { DEFAULT_INSTALL_SETTINGS } from "./install-settings.ts";
import { operatorRoles, rolePartsOf, rolesByPart, rolesIn } from "./rbac.ts";

/** Everything that roles allow, one thing a line. What holds everywhere holds in a namespace, too. */
function allowed(...all: readonly RbacRoles[]): ReadonlySet<string> {
  const lines = (roles: readonly { readonly namespace: string; readonly rules: readonly PolicyRule[] }[]) =>
    roles.flatMap(({ namespace, rules }) =>
      rules.flatMap(({ apiGroups = [], resources = [], resourceNames = ["*"], verbs }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) =>
            resourceNames.flatMap((name) => verbs.map((verb) => `${namespace} ${group}/${resource} ${name} ${verb}`)),
          ),
        ),
      ),
    );
  const roles = all
    .flatMap(rolesIn)
    .map(({ metadata, rules }) => ({ namespace: metadata.namespace ?? "*", rules: (rules ?? []) as PolicyRule[] }));
  const found = new Set(lines(roles));
  const isWider = (line: string, ...index: readonly number[]): boolean => {
    const words = line.split(" ");
    const wider = words.with(index[0]!, "*");
    const all = index.length > 1 ? wider.with(index[1]!, "*") : wider;
    return all.join(" ") !== line && found.has(all.join(" "));
  };
  return new Set([...found].filter((line) => !isWider(line, 0) && !isWider(line, 2) && !isWider(line, 0, 2)));
}

const SUBSETS = Array.from({ length: 2 ** PARTS.length - 1 }, (_, index): readonly Part[] =>
  PARTS.filter((_part, bit) => ((index + 1) & (1 << bit)) !== 0),
);

test("whichever parts run, their roles together give what one role for all of them gives, and no more", () => {
  const byPart = rolesByPart(DEFAULT_INSTALL_SETTINGS);
  for (const parts of SUBSETS) {
    const whole = allowed(operatorRoles({ ...DEFAULT_INSTALL_SETTINGS, parts }));
    const together = allowed(...rolePartsOf(parts).map((part) => byPart[part]));
    assert.deepEqual([...together].sort(), [...whole].sort(), parts.join(","));
  }
});

test("a part that does not run leaves no rights behind", () => {
  const of = (...parts: readonly Part[]): string[] => [
    ...allowed(operatorRoles({ ...DEFAULT_INSTALL_SETTINGS, parts })),
  ];
  const writesSecrets = (lines: readonly string[]) =>
    lines.filter((line) => line.includes(" /secrets ") && /(?:create|update|patch|delete)$/u.test(line));
  assert.ok(!of("hostnames", "applications").some((line) => line.includes("/secrets")));
  assert.deepEqual(writesSecrets(of("routing")), ["gatewright /secrets * create", "gatewright /secrets * update"]);
  assert.ok(!of("applications").some((line) => line.includes("gateway.")));
  assert.ok(of("applications", "hostnames").includes("* gateway.networking.k8s.io/httproutes * create"));
  assert.ok(!of("hostnames").some((line) => line.includes("deployments")));
  // Whether one is being deleted.
  assert.deepEqual(
    of("infra").filter((line) => line.includes("namespaces")),
    ["* /namespaces * get"],
  );
});

test("names and places are those that the operator is told", () => {
  const settings = {
    ...DEFAULT_INSTALL_SETTINGS,
    namespace: "ops",
    account: "op",
    lease: "leader",
    edgeNamespace: "front",
    listeners: "listener-sets",
    webhookConfiguration: "hooks",
    gatewayNamespaces: ["front", "inner"],
  } as const;
  const lines = allowed(operatorRoles({ ...settings, parts: ["hostnames", "routing"] }));
  for (const line of [
    "ops coordination.k8s.io/leases leader update",
    "front gateway.networking.k8s.io/gateways * create",
    "front gateway.networking.k8s.io/listenersets * create",
    "* admissionregistration.k8s.io/validatingwebhookconfigurations hooks patch",
    "inner /secrets * create",
    "front /secrets * create",
    "ops /secrets * create",
  ])
    assert.ok(lines.has(line), line);
  assert.ok(![...lines].some((line) => /^(?:gatewright|edge) /u.test(line)));
  const quiet = allowed(operatorRoles({ ...settings, webhookConfiguration: undefined }));
  assert.ok(![...quiet].some((line) => line.includes("validatingwebhookconfigurations")));
});
