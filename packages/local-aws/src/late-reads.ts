import type { AwsWorld } from "./world.ts";

/**
 * Where the pace says that reads lag, gives a way to make reads late: they see the state of a while ago. Such a read must not wait,
 * nor change anything. Elsewhere it gives them as they are.
 */
export function lateReads(
  { clock, pace, state }: AwsWorld,
  lagMs: number,
): <In extends readonly unknown[], Out>(read: (...input: In) => Out) => (...input: In) => Out {
  const behind = lagMs * pace.durations;
  if (!pace.lag || behind === 0) return (read) => read;
  state.keepPast(clock, behind);
  return (read) =>
    (...input) =>
      state.asOf(clock.now() - behind, () => read(...input));
}
