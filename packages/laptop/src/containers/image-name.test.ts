import assert from "node:assert/strict";
import { test } from "node:test";
import { parseImageName } from "./image-name.ts";

test("names of images are read as registries read them", () => {
  for (const [text, repository, tag, whole] of [
    ["nginx", "nginx", "latest", "docker.io/library/nginx:latest"],
    ["gatewright/echo:v2", "gatewright/echo", "v2", "docker.io/gatewright/echo:v2"],
    ["ghcr.io/team/app:1.0", "ghcr.io/team/app", "1.0", "ghcr.io/team/app:1.0"],
    ["localhost:5000/app", "localhost:5000/app", "latest", "localhost:5000/app:latest"],
  ]) {
    const name = parseImageName(text ?? "");
    assert.deepEqual([name?.repository, name?.tag, name?.whole], [repository, tag, whole]);
  }
  const digest = `sha256:${"0".repeat(64)}`;
  assert.equal(parseImageName(`nginx@${digest}`)?.tag, undefined);
  for (const text of ["", "Not A Name", "upper/Case", "a//b", "a:b:c", "-x", "a@sha256:1"]) {
    assert.equal(parseImageName(text), undefined, text);
  }
});
