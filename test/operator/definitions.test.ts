import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { createClient } from "@gatewright/runtime";
import { definitionStory } from "./definition-story.ts";

test("objects live through newer definitions, older ones, and newer ones again", async () => {
  const server = await createApiServer();
  try {
    await definitionStory(createClient(server.transport(), { fieldManager: "platform" }), async (what, look) => {
      for (let tries = 0; !(await look()); tries++) {
        if (tries > 100) throw new Error(`${what} did not happen`);
        await server.idle();
      }
    });
  } finally {
    await server.close();
  }
});
