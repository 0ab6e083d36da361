import { CURRENT_KUBERNETES, PartMissingError } from "../testbed/index.ts";
import { describeOutcome } from "../test/differential/report.ts";
import { runDifferential } from "../test/differential/run.ts";
import { startEmbeddedWorld, startRealWorld } from "../test/differential/worlds.ts";

/**
 * The tests that need real parts: brings up what they need and takes it down. An argument chooses the cases whose names
 * hold it. Ends with 1 when anything failed; what cannot be had on this machine is skipped and said.
 */
const filter = process.argv[2] ?? "";
const total = { passed: 0, failed: 0, skipped: 0 };

try {
  await using real = await startRealWorld(CURRENT_KUBERNETES, console.log);
  await using embedded = await startEmbeddedWorld();
  const started = performance.now();
  const outcomes = await runDifferential(real, embedded, filter);
  const count = (type: string): number => outcomes.filter((outcome) => outcome.type === type).length;
  for (const line of outcomes.flatMap(describeOutcome)) console.log(line);
  const seconds = Math.round((performance.now() - started) / 1000);
  const [same, known] = [count("same"), count("known")];
  console.log(
    `differential: ${outcomes.length} cases against kube-apiserver ${CURRENT_KUBERNETES} in ${seconds} s: ` +
      `${same} agree, ${known} differ as listed, ${outcomes.length - same - known} differ`,
  );
  total.passed += same + known;
  total.failed += outcomes.length - same - known;
} catch (error) {
  if (!(error instanceof PartMissingError)) throw error;
  console.log(`skipped the differential tests: ${error.message}`);
  total.skipped += 1;
}

console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
