import { deepEqual } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { DomainClaim } from "@gatewright/resources";
import { updateStatus } from "@gatewright/runtime";
import type { Confirmed, ReconcileContext } from "@gatewright/runtime";
import { NO_ANSWERS } from "./answers.ts";
import { memoryOf } from "./claim.ts";
import type { Claim, Memory } from "./claim.ts";
import { conditionsOf } from "./conditions.ts";
import type { Decision, Fact } from "./decision.ts";
import { perform } from "./effects.ts";
import type { Observation } from "./observation.ts";
import { observe } from "./observe.ts";
import type { OneAtATime } from "./one-at-a-time.ts";
import type { ClaimWorld } from "./world.ts";

/** More than the longest way through all steps. */
const MOST_ROUNDS = 200;

export interface RunParts {
  readonly world: ClaimWorld;
  readonly confirmed: Confirmed<DomainClaim>;
  readonly alone: OneAtATime;
  readonly decide: (seen: Observation) => Decision;
  /** Hears of every effect that was done, with what was seen before it. */
  readonly performed: (
    effect: Extract<Decision, { kind: "ask" }>["effect"],
    seen: Observation,
    after: Observation,
  ) => void;
}

/** How a run ended: what is told of the claim, or that nothing is left of it. */
export type RunEnd = {
  readonly claim: Claim;
  readonly fact: Fact | undefined;
  readonly afterMs: number | undefined;
};

/**
 * Observes, decides and does one thing after the other until there is nothing to do. What is decided is written to the claim's status
 * before anything relies on it, over the very version that it was decided by: whoever has an old view of the claim gets a conflict.
 */
export async function runClaim(
  { world, confirmed, alone, decide, performed }: RunParts,
  context: Pick<ReconcileContext<DomainClaim>, "client" | "cached" | "signal" | "clock">,
  claim: Claim,
): Promise<RunEnd> {
  const { client, cached, signal, clock } = context;
  let stored = claim;
  let memory = memoryOf(claim);
  let answers = NO_ANSWERS;
  const look = (): Observation => observe(world, cached, stored, memory, answers);

  const write = async (next: Memory, fact: Fact | undefined): Promise<void> => {
    const conditions = fact === undefined ? stored.status?.conditions : conditionsOf(stored, next, fact, clock.now());
    const observedGeneration = stored.metadata.generation ?? 0;
    const status = { ...next, observedGeneration, conditions: conditions ?? [] };
    const written = await updateStatus(client, DomainClaim, stored, status, { by: "replace", signal });
    if (written !== stored) confirmed.wrote(written);
    stored = written;
    memory = memoryOf(written);
  };
  /** So that two claims never decide about the same by the same view. */
  const commit = (lock: string): Promise<void> =>
    alone(lock, async () => {
      const decision = decide(look());
      if (decision.kind === "commit" && decision.lock === lock) {
        await write(decision.memory, undefined);
        for (const name of memory.certificate?.request?.names ?? []) world.bundler.leave(name);
      } else if (decision.kind === "remember") memory = decision.memory;
    });

  for (let round = 0; round < MOST_ROUNDS; round++) {
    const seen = look();
    const decision = decide(seen);
    switch (decision.kind) {
      case "remember":
        memory = decision.memory;
        break;
      case "commit":
        await commit(decision.lock);
        break;
      case "ask":
        if (!deepEqual(memory as Json, memoryOf(stored) as Json)) await write(memory, decision.meanwhile);
        if (changesAws(decision.effect)) await confirmed.confirm(context, stored);
        answers = await perform(world, context, seen.claim, decision.effect, answers);
        performed(decision.effect, seen, look());
        break;
      case "rest":
        await write(memory, decision.fact);
        return { claim: stored, fact: decision.fact, afterMs: decision.afterMs };
      case "gone":
        await confirmed.confirm(context, stored);
        return { claim: stored, fact: undefined, afterMs: undefined };
    }
  }
  throw new TypeError("the decisions about a claim go round in circles");
}

function changesAws({ type }: Extract<Decision, { kind: "ask" }>["effect"]): boolean {
  return type === "requestCertificate" || type === "changeRecord" || type === "removeCertificate";
}
