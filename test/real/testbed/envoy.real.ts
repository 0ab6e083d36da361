import assert from "node:assert/strict";
import { after, test } from "node:test";
import { envoyPart } from "../../../testbed/index.ts";
import { run } from "../../tools/command.ts";
import { suite } from "../../tools/suite.ts";
import { realPart } from "../part.ts";

const envoy = await realPart(envoyPart);

suite("the Envoy of the test bed", "missing" in envoy ? envoy.missing : false, () => {
  if ("missing" in envoy) return;
  after(() => envoy[Symbol.asyncDispose]());
  const { admin = "", binary = "" } = envoy.facts;

  test("its admin listener says that it is live and which version it is", async () => {
    const ready = await fetch(`${admin}/ready`);
    assert.equal(ready.status, 200);
    assert.equal((await ready.text()).trim(), "LIVE");
    const { version } = (await (await fetch(`${admin}/server_info`)).json()) as { readonly version: string };
    assert.ok(version.includes(`/${envoy.version}/`), version);
  });

  test("it tells a configuration that is valid from one that is not", async () => {
    const validate = async (config: object): Promise<number | null> =>
      (await run(binary, ["--mode", "validate", "--config-yaml", JSON.stringify(config)])).code;
    assert.equal(await validate({ static_resources: { clusters: [{ name: "a", connect_timeout: "1s" }] } }), 0);
    assert.equal(await validate({ static_resources: { clusters: [{ name: "a", connect_timeut: "1s" }] } }), 1);
  });
});
