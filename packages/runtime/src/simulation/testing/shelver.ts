import { sleep } from "@gatewright/ports";
import type { Program, ProgramPorts } from "../process/program.ts";
import type { Scenario } from "../scenario.ts";
import { at, listOriginals, mirrorScenario, nextChange, original } from "./mirror.ts";
import { shelf } from "./shelf.ts";
import type { ShelfAnswer, ShelfRequest, ShelfThing } from "./shelf.ts";

/** Bugs that a shelver may have. */
interface ShelverOptions {
  /** Puts things there without a token, so that what was done unheard is done again: a bug. */
  readonly withoutToken?: boolean;
  /** Removes only what it remembers to have put there: a bug. */
  readonly forgetful?: boolean;
  /** Labels things again each time: a bug. */
  readonly always?: boolean;
}

class Refused extends Error {}

/** A small controller of another system: keeps one thing on the shelf for each ConfigMap in `originals`, and no other. */
export function shelver(options: ShelverOptions = {}): Program {
  return (ports) => {
    const remembered = new Map<string, string>();
    return {
      async run(signal) {
        while (!signal.aborted) {
          try {
            const version = await round(ports, options, remembered, signal);
            await nextChange(ports, version, signal);
          } catch (error) {
            if (signal.aborted) return;
            ports.log.warn("a round failed", { error });
            await sleep(ports.clock, 1_000, signal).catch(() => undefined);
          }
        }
      },
    };
  };
}

async function round(
  ports: ProgramPorts,
  { withoutToken, forgetful, always }: ShelverOptions,
  remembered: Map<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const ask = async (request: ShelfRequest): Promise<readonly ShelfThing[]> => {
    const answer = (await ports.system("shelf")(request, signal)) as ShelfAnswer;
    if ("refused" in answer) throw new Refused(answer.refused);
    return answer.things;
  };
  const originals = await listOriginals(ports, signal);
  const things = new Map((await ask({ do: "list" })).map((thing) => [thing.owner, thing]));
  const owners = new Set<string>();
  for (const { metadata, data } of originals.items) {
    const label = JSON.stringify(data);
    owners.add(metadata.uid);
    const thing = things.get(metadata.uid);
    if (thing !== undefined && (thing.label !== label || always === true))
      await ask({ do: "label", id: thing.id, label });
    if (thing !== undefined) continue;
    const put: ShelfRequest = { do: "put", owner: metadata.uid, label };
    const request = withoutToken === true ? put : { ...put, token: metadata.uid };
    const [made] = await ask(request).catch(() => ask(request));
    if (made !== undefined) remembered.set(metadata.uid, made.id);
  }
  const doomed = forgetful === true ? remembered : new Map([...things].map(([owner, { id }]) => [owner, id]));
  for (const [owner, id] of doomed) {
    if (owners.has(owner)) continue;
    await ask({ do: "remove", id });
    remembered.delete(owner);
  }
  return originals.resourceVersion;
}

/** ConfigMaps come, change and go, and things on a shelf follow. */
export function shelverScenario(program: Program = shelver()): Scenario {
  return {
    ...mirrorScenario(program),
    name: "shelver",
    about: "one thing for each ConfigMap is kept in a system beside the server",
    steps: [
      { at: 1_000, create: original("a", { x: "1" }) },
      { at: 4_000, create: original("b", { x: "1" }) },
      { at: 8_000, patch: at("a"), with: { data: { x: "2" } } },
      { at: 12_000, delete: at("b") },
      { at: 16_000, create: original("c", { x: "1" }) },
      { at: 20_000, create: original("b", { x: "3" }) },
    ],
    systems: [shelf],
  };
}
