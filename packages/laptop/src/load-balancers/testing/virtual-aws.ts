import { createAws } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { composeServices, createLocalAws, createMemoryState } from "@gatewright/local-aws";
import type { Faults, LocalAws } from "@gatewright/local-aws";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";

/** AWS in this process and on virtual time, with trouble on request. */
export interface VirtualAws {
  readonly aws: Aws;
  readonly clock: ManualClock;
  readonly local: LocalAws;
  /** Lets time pass until the work is done. */
  passing<T>(work: Promise<T>): Promise<T>;
}

export async function virtualAws(faults: Faults = {}): Promise<VirtualAws> {
  const clock = new ManualClock();
  const world = { clock, random: seededRandom(1), state: createMemoryState(), pace: { durations: 0.001, lag: false } };
  const local = await createLocalAws({
    world,
    services: composeServices(world).all,
    limits: "off",
    faults,
    onFault: (error) => {
      throw error;
    },
  });
  const aws = createAws({
    region: "eu-west-1",
    credentials: async () => ({ accessKeyId: "test", secretAccessKey: "test" }),
    send: (_endpoint, request, signal) => local.handle(request, signal),
    clock,
    random: seededRandom(2),
  });
  return {
    aws,
    clock,
    local,
    async passing(work) {
      let settled = false;
      const end = (): void => void (settled = true);
      work.then(end, end);
      for (let turn = 1; !settled; turn++) {
        await nextTurn();
        if (turn % 10 === 0) clock.advance(1_000);
      }
      return work;
    },
  };
}

/** Tries again as a controller does. */
export async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 200) throw error;
    }
  }
}
