import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { core } from "@gatewright/kube/api";
import { suite } from "../../tools/suite.ts";
import { realKube } from "../kube.ts";
import { KNOWN } from "./known.ts";
import { differences, snapshotOf } from "./snapshot.ts";
import type { Snapshot } from "./snapshot.ts";
import { STORIES } from "./stories.ts";
import type { Story } from "./stories.ts";
import { embeddedWorld, look, openNamespace, realWorld } from "./story-world.ts";
import type { StoryWorld } from "./story-world.ts";

const kube = realKube();
/** After the last step, what is still under way (events, counts of pods that are gone) comes to rest. */
const REST_MS = 1500;

suite("workloads beside kube-controller-manager", "missing" in kube ? kube.missing : false, () => {
  if ("missing" in kube) return;
  let worlds: { readonly real: StoryWorld; readonly embedded: StoryWorld };
  const seen = new Set<number>();

  before(async () => {
    worlds = { real: await realWorld(kube.kubeconfig), embedded: await embeddedWorld() };
  });

  after(async () => {
    await worlds.real[Symbol.asyncDispose]();
    await worlds.embedded[Symbol.asyncDispose]();
  });

  for (const [at, story] of STORIES.entries()) {
    test(`${story.name}: it comes to the same`, async () => {
      const [theirs, ours] = await Promise.all([told(worlds.real, story, at), told(worlds.embedded, story, at)]);
      const unknown = differences(theirs, ours).filter((line) => {
        const known = KNOWN.findIndex((each) => each.line.test(line) && (each.story ?? story.name) === story.name);
        if (known >= 0) seen.add(known);
        return known < 0;
      });
      assert.deepEqual(unknown, []);
    });
  }

  test("every difference that is listed is still there", () => {
    assert.deepEqual(
      KNOWN.filter(({ sometimes }, at) => sometimes !== true && !seen.has(at)).map(({ line }) => String(line)),
      [],
    );
  });
});

/** Plays a story in a namespace of its own, and gives what it came to. */
async function told(world: StoryWorld, story: Story, at: number): Promise<Snapshot> {
  const namespace = `workload-story-${at}`;
  await openNamespace(world, namespace);
  try {
    await story.play({ client: world.client, namespace });
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return snapshotOf(await look(world, namespace), namespace);
  } finally {
    await world.client.for(core.Namespace).delete({ name: namespace });
  }
}
