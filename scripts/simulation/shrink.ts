import type { FaultKind, Simulation, Verdict } from "@gatewright/runtime/simulation";

/**
 * The kinds of faults that it takes for a seed to fail: leaves out one after the other for as long as the same oracle objects.
 * Undefined when the seed does not fail. None left means that it fails without any.
 */
export async function shrink(
  { seed: run }: Pick<Simulation, "seed">,
  seed: number,
): Promise<{ readonly kinds: readonly FaultKind[]; readonly verdict: Verdict } | undefined> {
  let verdict = await run(seed);
  const oracle = verdict.violations[0]?.oracle;
  if (oracle === undefined) return undefined;
  const fails = ({ violations }: Verdict): boolean => violations.some((violation) => violation.oracle === oracle);
  let kinds = happened(verdict);
  for (let at = 0; at < kinds.length;) {
    const fewer = kinds.toSpliced(at, 1);
    const tried = await run(seed, new Set(fewer));
    // What could not be left out before may be now.
    if (fails(tried)) [kinds, verdict, at] = [fewer, tried, 0];
    else at++;
  }
  return { kinds, verdict };
}

function happened({ run }: Verdict): readonly FaultKind[] {
  return [...new Set([...run.coverage.hits.keys()].map((hit) => hit.split(" @ ")[0] as FaultKind))];
}
