import { deepEqual } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import { updateStatus } from "@gatewright/runtime";
import type { Confirmed, ReconcileContext } from "@gatewright/runtime";
import { NO_ANSWERS } from "./answers.ts";
import type { Answers } from "./answers.ts";
import type { Managed } from "./aws-kind.ts";
import { conditionsOf } from "./conditions.ts";
import { changesAws } from "./decision.ts";
import type { Decision, Effect, Fact } from "./decision.ts";
import { perform } from "./effects.ts";
import { memoryOf } from "./memory.ts";
import type { Memory } from "./memory.ts";
import type { Observation } from "./observation.ts";
import { observe } from "./observe.ts";
import { statusBeside } from "./status-beside.ts";
import { wasInSync } from "./was-in-sync.ts";
import type { ManagedWorld } from "./world.ts";

/** More than the longest way through all steps. */
const MOST_ROUNDS = 60;

export interface RunParts {
  readonly world: ManagedWorld;
  readonly confirmed: Confirmed<Managed>;
  readonly decide: (seen: Observation) => Decision;
  /** Hears of every effect that was done, with what was seen before it. */
  readonly performed: (effect: Effect, seen: Observation, answers: Answers) => void;
}

/** How a run ended: what is told of the object, or that nothing holds it any more. */
export interface RunEnd {
  readonly object: Immutable<Managed>;
  /** Undefined: nothing was told. */
  readonly fact: Fact | undefined;
  readonly afterMs: number;
  /** Nothing holds the object any more, and why. */
  readonly gone?: Extract<Decision, { kind: "gone" }>["why"];
}

/**
 * Observes, decides and does one thing after the other until there is nothing to do. What is decided is written to the object's status
 * before anything relies on it, over the very version that it was decided by: whoever has an old view of the object gets a conflict.
 */
export async function runManaged(
  { world, confirmed, decide, performed }: RunParts,
  context: Pick<ReconcileContext<Managed>, "client" | "cached" | "signal" | "clock">,
  object: Immutable<Managed>,
): Promise<RunEnd> {
  const { client, cached, signal, clock } = context;
  const { kind, book } = world;
  const began = { turn: book.turn(), wasInSync: wasInSync(object) };
  let stored = object;
  let memory = memoryOf(object);
  let answers = NO_ANSWERS;
  const given = await world.references.gather(context, object);
  const look = (): Observation => observe(world, cached, stored, memory, { ...began, given, answers });

  const write = async (seen: Observation, next: Memory, fact: Fact): Promise<void> => {
    const conditions = conditionsOf(stored, fact, clock.now());
    const status = {
      ...statusBeside(world, seen),
      ...next,
      observedGeneration: stored.metadata.generation ?? 0,
      ready: conditions.some(({ type, status: is }) => type === "Ready" && is === "True"),
      deletionPolicy: stored.spec.deletionPolicy,
      conditions,
    };
    const before = stored.status?.pending?.token;
    const written = await updateStatus(client, kind.resource, stored, status, { by: "replace", signal });
    if (written !== stored) confirmed.wrote(written);
    stored = written;
    memory = memoryOf(written);
    const { pending } = memory;
    if (pending?.operation === "Create" && pending.token !== before) book.intend(stored, pending.token);
  };

  for (let round = 0; round < MOST_ROUNDS; round++) {
    const seen = look();
    const decision = decide(seen);
    switch (decision.kind) {
      case "remember":
        memory = decision.memory;
        break;
      case "ask": {
        const { effect, meanwhile } = decision;
        if (changesAws(effect)) {
          if (!deepEqual(memory as Json, memoryOf(stored) as Json)) {
            await write(seen, memory, meanwhile);
            // Decided anew, by what is written.
            break;
          }
          await confirmed.confirm(context, stored);
        }
        answers = await perform(world, context, seen, effect);
        performed(effect, seen, answers);
        break;
      }
      case "rest":
        await write(seen, memory, decision.fact);
        return { object: stored, fact: decision.fact, afterMs: decision.afterMs };
      case "wait":
        return { object: stored, fact: undefined, afterMs: decision.afterMs };
      case "gone":
        await confirmed.confirm(context, stored);
        return { object: stored, fact: undefined, afterMs: 0, gone: decision.why };
    }
  }
  throw new TypeError(`the decisions about ${object.kind} ${object.metadata.name} go round in circles`);
}
