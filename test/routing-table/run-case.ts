import assert from "node:assert/strict";
import { assertAnswer, seenIn } from "./expectation.ts";
import type { CaseRequest, RoutingCase } from "./routing-case.ts";
import type { StartedBackends } from "./started-backends.ts";
import type { World } from "./world.ts";

/** How often it is looked whether requests that nobody waits for have come. */
const LOOKS = 200;
const BETWEEN_LOOKS_MS = 10;

/** How often a case may be too slow to say anything. */
const SLOW_RUNS = 10;

/** Applies the objects of a case to a world and asks it. Rejects with what is different. */
export async function runCase(
  one: RoutingCase,
  world: World,
  backends: StartedBackends,
  signal: AbortSignal,
): Promise<void> {
  for (let run = 1; ; run++) {
    const started = performance.now();
    try {
      return await runOnce(one, world, backends, signal);
    } catch (error) {
      if (performance.now() - started < (one.within ?? Infinity) || run === SLOW_RUNS) throw error;
    }
    await world.apply([], signal);
  }
}

async function runOnce(one: RoutingCase, world: World, backends: StartedBackends, signal: AbortSignal): Promise<void> {
  backends.forget();
  await world.apply(backends.placed(one.objects), signal);
  for (const { request, expect } of one.steps ?? [])
    assertAnswer(await world.request(request, signal), expect, lineOf(request));
  if (one.spread !== undefined) await assertSpread(one.spread, world, signal);
  if (one.oneBackend !== undefined) await assertOneBackend(one.oneBackend, world, signal);
  if (one.together !== undefined) await assertTogether(one.together, world, signal);
  for (const [name, times] of Object.entries(one.asked ?? {})) {
    for (let look = 0; look < LOOKS && backends.asked(name) < times; look++)
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
    assert.equal(backends.asked(name), times, `how often ${name} was asked`);
  }
}

async function assertSpread(
  { request, times, shares }: NonNullable<RoutingCase["spread"]>,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  const counts = await countAnswers(request, times, world, signal);
  for (const name of counts.keys()) assert.ok(Object.hasOwn(shares, name), `${name} answered ${lineOf(request)}`);
  for (const [name, [least, most]] of Object.entries(shares)) {
    const got = counts.get(name) ?? 0;
    assert.ok(got >= least && got <= most, `${name} answered ${got} of ${times}, not ${least} to ${most}`);
  }
}

async function assertOneBackend(
  { request, times }: NonNullable<RoutingCase["oneBackend"]>,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  const counts = await countAnswers(request, times, world, signal);
  assert.equal(counts.size, 1, `${[...counts.keys()].join(" and ")} answered ${lineOf(request)}`);
}

/** How many answers each backend gave; those of nobody count by their status. */
async function countAnswers(
  request: CaseRequest,
  times: number,
  world: World,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let count = 0; count < times; count++) {
    const answer = await world.request(request, signal);
    const name = seenIn(answer)?.backend ?? String(answer.status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

async function assertTogether(
  { request, times, statuses }: NonNullable<RoutingCase["together"]>,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  const answers = await Promise.all(Array.from({ length: times }, () => world.request(request, signal)));
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  assert.deepEqual(counts, statuses, `statuses of ${times} times ${lineOf(request)} at once`);
}

function lineOf({ method, host, target, headers }: CaseRequest): string {
  return `${method} ${host}${target} ${JSON.stringify(headers)}`;
}
