import { createApiServer, imageOf } from "@gatewright/apiserver";
import type { StoreImage } from "@gatewright/apiserver";
import { dice as diceOf } from "./dice.ts";
import type { Scenario } from "./scenario.ts";
import { Timeline } from "./time/timeline.ts";
import { takeStep } from "./user.ts";

/** What is there before anything starts, made once: all worlds of a scenario begin with it, whatever their seed. */
export async function layGround({ name, before }: Pick<Scenario, "name" | "before">): Promise<StoreImage> {
  const dice = diceOf(0, name).fork("ground");
  const clock = new Timeline(dice.fork("time"));
  const server = await createApiServer({ clock, random: dice.fork("server").random });
  for (const object of before) {
    await takeStep(server, { at: 0, create: object });
    await clock.run(0);
    await server.idle();
  }
  const image = imageOf(server.cluster.store);
  await server.close();
  return image;
}
