/** A run that a worker is asked to do: a seed, planned faults, or (neither) the run without faults. */
export interface Task {
  readonly seed?: number;
  readonly plan?: string;
  /** Of the faults of the seed only these kinds: `slow,pause`. */
  readonly only?: string;
  /** These parts of the story, and not those that the seed draws: `rival,heir`. */
  readonly parts?: string;
  /** Do it twice and compare. */
  readonly twice?: boolean;
}

/** What a worker says when it begins a task, and when it has ended one. */
export type Report =
  | {
      readonly kind: "ready";
      /** Plans of single faults that the scenario allows. */ readonly plans: readonly string[];
    }
  | {
      readonly kind: "ran";
      readonly task: Task;
      readonly violations: readonly { readonly oracle: string; readonly what: string }[];
      readonly hash: string;
      readonly faults: string;
      /** The parts that were played, if the scenario has any. */
      readonly parts: string | undefined;
      readonly hits: readonly (readonly [string, number])[];
      readonly moments: number;
    };

/** The options that run a task again. */
export function replayOptions({ seed, plan, only, parts }: Task): string {
  if (plan !== undefined) return `--plan ${plan}`;
  const option = (name: string, value: string | undefined): string => (value === undefined ? "" : ` ${name} ${value}`);
  return `--seed ${seed ?? 0}${option("--parts", parts)}${option("--only", only)}`;
}
