import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { systemClock, systemRandom } from "@gatewright/ports";
import type { Finding, GivenObject } from "./configuration/objects.ts";
import { Gateway } from "./gateway.ts";
import { DEFAULT_SETTINGS } from "./observability/testing/default-settings.ts";

/** A gateway that allows these directories, and one with a file of the gateway's own machine in it. */
function world(t: TestContext, allows: (folder: string) => readonly string[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "named-files-")));
  const file = join(folder, "tls.key");
  writeFileSync(file, "");
  const gateway = new Gateway(
    { ...DEFAULT_SETTINGS, files: { allowDirectories: allows(folder) } },
    { clock: systemClock, random: systemRandom, observer: { started() {}, ended() {}, fault() {} }, fault() {} },
  );
  t.after(async () => {
    await gateway.close(0, new AbortController().signal);
    rmSync(folder, { recursive: true });
  });
  return { gateway, file };
}

const common = { namespace: "shop", name: "a", version: "1" };
const backend = (spec: object): GivenObject => ({
  ...common,
  kind: "Backend",
  spec: { hosts: [{ address: "127.0.0.1", port: 1 }], ...spec },
});
const shown = (file: string): GivenObject =>
  backend({ tls: { enabled: true, mode: "MUTUAL", certFile: file, keyFile: `${file}2`, caFile: `${file}3` } });
const errors = (findings: readonly Finding[]): string[] =>
  findings.filter(({ severity }) => severity === "error").map(({ field }) => field);

test("a backend that does not come from a file is refused with the files that it names, and told which setting allows them", (t) => {
  const { gateway, file } = world(t, () => []);
  const findings = gateway.replace([shown(file)]);
  assert.deepEqual(errors(findings), ["spec.tls.caFile", "spec.tls.certFile", "spec.tls.keyFile"]);
  assert.match(findings[0]?.message ?? "", /files\.allowDirectories/u);
  assert.deepEqual(gateway.good(), []);
  const mtls = { type: "mtls", mtls: { enabled: true, certFile: file, keyFile: `${file}2` } };
  assert.deepEqual(errors(gateway.change([backend({ authentication: mtls })], [])), [
    "spec.authentication.mtls.certFile",
    "spec.authentication.mtls.keyFile",
  ]);
});

test("a backend may name files in a directory that the settings allow, and any when it is in a file itself", (t) => {
  const allowing = world(t, (folder) => [folder]);
  assert.deepEqual(errors(allowing.gateway.replace([shown(allowing.file)])), []);
  assert.equal(allowing.gateway.good().length, 1);
  const { gateway, file } = world(t, () => []);
  assert.deepEqual(errors(gateway.replace([{ ...shown(file), isLocal: true }])), []);
});

test("what was in a file is not trusted as that when it comes from elsewhere, word for word the same", (t) => {
  const { gateway, file } = world(t, () => []);
  gateway.replace([{ ...shown(file), isLocal: true }]);
  assert.notDeepEqual(errors(gateway.change([shown(file)], [])), []);
  assert.deepEqual(gateway.good(), []);
  assert.deepEqual(errors(gateway.replace([{ ...shown(file), isLocal: true }])), []);
  assert.equal(gateway.good().length, 1);
});

const ROUTES: readonly (readonly [field: string, kind: GivenObject["kind"], spec: (file: string) => object])[] = [
  ["spec.openAPIValidation.specFile", "APIRoute", (specFile) => ({ openAPIValidation: { enabled: true, specFile } })],
  [
    "spec.tls.clientValidation.caFile",
    "APIRoute",
    (caFile) => ({ tls: { clientValidation: { enabled: true, caFile } } }),
  ],
  [
    "spec.authentication.mtls.caFile",
    "APIRoute",
    (caFile) => ({ authentication: { enabled: true, mtls: { enabled: true, caFile } } }),
  ],
  ["spec.tls.certFile", "APIRoute", (certFile) => ({ tls: { certFile, keyFile: `${certFile}2` } })],
  [
    "spec.protoValidation.descriptorFile",
    "GRPCRoute",
    (descriptorFile) => ({
      match: [{ service: { exact: "*" } }],
      protoValidation: { enabled: true, descriptorFile },
    }),
  ],
  [
    "spec.schemaValidation.schemaFile",
    "GraphQLRoute",
    (schemaFile) => ({ schemaValidation: { enabled: true, schemaFile } }),
  ],
];
for (const [field, kind, spec] of ROUTES)
  test(`a route reads ${field} where the settings allow it, and no more`, (t) => {
    const told = ({ gateway, file }: ReturnType<typeof world>, more: object = {}): boolean => {
      const route = [{ destination: { host: "a", port: 80 } }];
      const findings = gateway.replace([{ ...common, kind, spec: { route, ...spec(file) }, ...more }]);
      return findings.some((one) => one.field === field && one.message.includes("files.allowDirectories"));
    };
    assert.equal(told(world(t, () => [])), true);
    assert.equal(told(world(t, (folder) => [folder])), false);
    assert.equal(
      told(
        world(t, () => []),
        { isLocal: true },
      ),
      false,
    );
  });
