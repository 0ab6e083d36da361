import type { Dice } from "./dice.ts";
import type { Part, Scenario, Step } from "./scenario.ts";

/** A scenario as it is played in a run. */
export interface Story {
  /** With all its steps, and no parts to choose from any more. */
  readonly scenario: Scenario;
  /** Names of the parts that are played. Undefined: the scenario has none. */
  readonly parts: readonly string[] | undefined;
}

/** One seed of so many plays all parts. */
const ALL_EVERY = 20;
/** Of the others so many play two parts, and the rest a single one. */
const TWO = 0.2;

/** The parts that a seed plays, in their order. Undefined where there are none. */
export function drawParts({ parts }: Pick<Scenario, "parts">, dice: Dice): readonly string[] | undefined {
  if (parts === undefined) return undefined;
  const names = parts.map(({ name }) => name);
  if (dice.chance(1 / ALL_EVERY)) return names;
  const first = dice.integer(0, names.length - 1);
  const second = dice.chance(TWO) ? dice.integer(0, names.length - 1) : first;
  return names.filter((_, at) => at === first || at === second);
}

/**
 * The scenario with these parts. All of them: at their own times. Fewer: each as early as the first part of all begins, without waits
 * that are longer than `longestWaitMs`; and faults from the beginning, unless a part asks for a calm one. Throws a TypeError for a part
 * that is not there.
 */
export function storyOf(scenario: Scenario, names: readonly string[] | undefined = allOf(scenario)): Story {
  const { parts = [], calmMs, ...rest } = scenario;
  const unknown = names?.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined) throw new TypeError(`${scenario.name} has no part ${unknown}`);
  if (names === undefined) return { scenario, parts: undefined };
  const played = parts.filter(({ name }) => names.includes(name));
  const isWhole = played.length === parts.length;
  const from = Math.min(...parts.map(startOf));
  const told = isWhole ? played : played.map((part) => ({ ...part, steps: sooner(part, from, scenario) }));
  const calm = isWhole ? calmMs : Math.max(0, ...played.map((part) => part.calmMs ?? 0));
  const steps = [...scenario.steps, ...onceEach(told)].toSorted((one, other) => one.at - other.at);
  return {
    scenario: { ...rest, steps, ...(calm !== undefined && { calmMs: calm }) },
    parts: played.map(({ name }) => name),
  };
}

function allOf({ parts }: Scenario): readonly string[] | undefined {
  return parts?.map(({ name }) => name);
}

function startOf({ steps }: Part): number {
  return steps[0]?.at ?? 0;
}

function sooner(part: Part, from: number, scenario: Scenario): readonly Step[] {
  const longestWaitMs = part.longestWaitMs ?? scenario.longestWaitMs ?? Infinity;
  let [was, is] = [startOf(part), from];
  return part.steps.map((step) => {
    is += Math.min(step.at - was, longestWaitMs);
    was = step.at;
    return { ...step, at: is };
  });
}

/** Parts may have steps in common, which are done once: at the first of their times. */
function onceEach(parts: readonly Part[]): readonly Step[] {
  const all = new Map<string, Step>();
  for (const { steps } of parts) {
    const own = new Map<string, number>();
    for (const step of steps) {
      const { at, ...task } = step;
      const text = JSON.stringify(task);
      // What a part does twice stays so.
      const time = (own.get(text) ?? 0) + 1;
      own.set(text, time);
      const known = all.get(`${time} ${text}`);
      if (known === undefined || at < known.at) all.set(`${time} ${text}`, step);
    }
  }
  return [...all.values()];
}
