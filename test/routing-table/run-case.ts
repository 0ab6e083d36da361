import assert from "node:assert/strict";
import { assertAnswer, seenIn } from "./expectation.ts";
import { CookieJar } from "./cookie-jar.ts";
import type { CaseAnswer, CaseRequest, RoutingCase } from "./routing-case.ts";
import type { StartedBackends } from "./started-backends.ts";
import type { World } from "./world.ts";

/** How often it is looked whether requests that nobody waits for have come. */
const LOOKS = 200;
const BETWEEN_LOOKS_MS = 10;

/** How often a case may be too slow to say anything. */
const SLOW_RUNS = 10;

type Ask = (request: CaseRequest) => Promise<CaseAnswer>;

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
  const jar = new CookieJar();
  const ask: Ask = async (request) => {
    const answer = await world.request(jar.with(request), signal);
    jar.take(request, answer);
    return answer;
  };
  for (const { request, expect, settles } of one.steps ?? [])
    await settled(settles, async () => assertAnswer(await ask(request), expect, lineOf(request)));
  const { spread, oneBackend, together } = one;
  if (spread !== undefined) await settled(spread.settles, () => assertSpread(spread, ask));
  if (oneBackend !== undefined) await assertOneBackend(oneBackend, ask);
  if (together !== undefined) await assertTogether(together, ask);
  for (const [name, times] of Object.entries(one.asked ?? {})) {
    for (let look = 0; look < LOOKS && backends.asked(name) < times; look++)
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
    assert.equal(backends.asked(name), times, `how often ${name} was asked`);
  }
}

/** Looks once, or with `settles` until it is so. */
async function settled(settles: true | undefined, look: () => Promise<void>): Promise<void> {
  for (let looks = settles === true ? LOOKS : 1; ; looks--) {
    try {
      return await look();
    } catch (error) {
      if (looks === 1) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  }
}

async function assertSpread({ request, times, shares }: NonNullable<RoutingCase["spread"]>, ask: Ask): Promise<void> {
  const counts = await countAnswers(request, times, ask);
  for (const name of counts.keys()) assert.ok(Object.hasOwn(shares, name), `${name} answered ${lineOf(request)}`);
  for (const [name, [least, most]] of Object.entries(shares)) {
    const got = counts.get(name) ?? 0;
    assert.ok(got >= least && got <= most, `${name} answered ${got} of ${times}, not ${least} to ${most}`);
  }
}

async function assertOneBackend({ request, times }: NonNullable<RoutingCase["oneBackend"]>, ask: Ask): Promise<void> {
  const counts = await countAnswers(request, times, ask);
  assert.equal(counts.size, 1, `${[...counts.keys()].join(" and ")} answered ${lineOf(request)}`);
}

/** How many answers each backend gave; those of nobody count by their status. */
async function countAnswers(request: CaseRequest, times: number, ask: Ask): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let count = 0; count < times; count++) {
    const answer = await ask(request);
    const name = seenIn(answer)?.backend ?? String(answer.status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

async function assertTogether(
  { request, times, statuses }: NonNullable<RoutingCase["together"]>,
  ask: Ask,
): Promise<void> {
  const answers = await Promise.all(Array.from({ length: times }, () => ask(request)));
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  assert.deepEqual(counts, statuses, `statuses of ${times} times ${lineOf(request)} at once`);
}

function lineOf({ method, host, target, headers }: CaseRequest): string {
  return `${method} ${host}${target} ${JSON.stringify(headers)}`;
}
