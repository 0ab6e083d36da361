import { test } from "node:test";
import { createClient, loadTransport } from "@gatewright/runtime";
import { definitionStory } from "../../operator/definition-story.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";

const kube = realKube();

suite("definitions on a real API server", "missing" in kube ? kube.missing : false, () => {
  if ("missing" in kube) return;
  test("objects live through newer definitions, older ones, and newer ones again", async () => {
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    try {
      const client = createClient(transport, { fieldManager: "platform" });
      await definitionStory(client, (what, look) => eventually(what, look, Boolean));
    } finally {
      transport.close();
    }
  });
});
