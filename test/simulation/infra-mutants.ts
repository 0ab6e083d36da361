import type { Mutant } from "./mutants.ts";

const ENGINE = "packages/infra/src/engine";
const POLICIES = `${ENGINE}/policies`;

/**
 * Bugs of the controllers of AWS resources. Of those that are `open`:
 *
 * - `token-not-stable` has a second guard behind it: what a token misses the search by tags finds. `lost-reply-not-looked-up` takes
 *   both away, and is found.
 * - `made-before-the-old-one-is-gone`: an instance that is on its way out counts as gone for oracles, and EC2 never brings one back.
 */
export const INFRA_MUTANTS: readonly Mutant[] = [
  {
    name: "intent-not-written",
    about: "a resource is made before the status says that it will be",
    file: `${ENGINE}/run.ts`,
    find: `if (!deepEqual(memory as Json, memoryOf(stored) as Json)) {`,
    replace: `if (effect.type !== "create" && !deepEqual(memory as Json, memoryOf(stored) as Json)) {`,
    scenario: "infra-ec2instance",
  },
  {
    name: "aws-error-means-absent",
    about: "a queue that could not be read counts as absent",
    file: "packages/infra/src/kinds/sqs-queue/calls.ts",
    find: `    if (!isAbsent(error)) throw error;\n    urls`,
    replace: `    signal.throwIfAborted();\n    urls`,
    scenario: "infra-sqsqueue",
  },
  {
    name: "token-not-stable",
    about: "each try of a creation has a token of its own, and makes a resource of its own",
    file: `${ENGINE}/memory.ts`,
    find: 'return `${metadata.uid ?? ""}-${replacements}`;',
    replace: 'return `${metadata.uid ?? ""}-${replacements}-${metadata.resourceVersion ?? ""}`;',
    scenario: "infra-ec2instance",
    open: true,
  },
  {
    name: "lost-reply-not-looked-up",
    about: "after a creation whose answer was lost nobody looks whether it was done",
    file: `${POLICIES}/creation.ts`,
    find: `  if (seen.untried || !canFind) return ask({ type: "create", token }, creating);`,
    replace:
      '  if (memory.resource !== undefined) return ask({ type: "create", token: `${token}-${seen.now % 1000}` }, creating);',
    scenario: "infra-ec2instance",
  },
  {
    name: "retain-ignored",
    about: "what the policy says to retain is deleted",
    file: `${POLICIES}/release.ts`,
    find: `  return observes || deletionPolicy === "Retain" ? gone("Retained") : undefined;`,
    replace: `  return observes || deletionPolicy === "Stop" ? gone("Retained") : undefined;`,
    scenario: "infra-sqsqueue",
  },
  {
    name: "orphan-deleted",
    about: "what the policy says to orphan is deleted",
    file: `${POLICIES}/release.ts`,
    find: `  if (object.spec.deletionPolicy !== "Orphan" || resource.is !== "present") return undefined;`,
    replace: `  if (object.spec.deletionPolicy !== "Retain" || resource.is !== "present") return undefined;`,
    scenario: "infra-sqsqueue",
  },
  {
    name: "gone-when-asked",
    about: "an object goes when its resource was asked to go, whether or not it went",
    file: `${ENGINE}/controller.ts`,
    find: `            return end.gone !== undefined ? done() : again(end.afterMs);`,
    replace: `            return done();`,
    scenario: "infra-rdsinstance",
  },
  {
    name: "replaced-without-approval",
    about: "a resource is deleted for another one though nobody approved that",
    file: `${POLICIES}/replacement.ts`,
    find: `  if (approved) return remember(intent(seen, "Replace", memory.resource));`,
    replace: `  if (hash !== "") return remember(intent(seen, "Replace", memory.resource));`,
    scenario: "infra-iamrole",
  },
  {
    name: "approval-not-asked",
    about: "any plan counts as approved",
    file: "packages/infra/src/plan/plan.ts",
    find: `  return metadata.annotations?.[APPROVE] === plan.hash;`,
    replace: `  return metadata.annotations?.[APPROVE] !== plan.hash;`,
    scenario: "infra-iamrole",
  },
  {
    name: "made-before-the-old-one-is-gone",
    about: "the next resource is made while the one that it replaces is there",
    file: `${POLICIES}/replacement.ts`,
    find: `  if (answers.removed === true) return rest(fact, SOON_MS);`,
    replace: `  if (answers.removed === true) return remember(creationIntent(seen, (memory.replacements ?? 0) + 1));`,
    scenario: "infra-ec2instance",
    open: true,
  },
  {
    name: "foreign-taken",
    about: "what is nobody's is taken over without consent",
    file: `${POLICIES}/ownership.ts`,
    find: `  if (byName !== true && byTags === undefined) return false;`,
    replace: `  if (byName === false && byTags === undefined) return false;`,
    scenario: "infra-sqsqueue",
  },
  {
    name: "foreign-deleted",
    about: "what is not the object's by its tags is deleted for it",
    file: `${POLICIES}/release.ts`,
    find: `  if (resource.is !== "present" || resource.own) return undefined;`,
    replace: `  if (resource.is !== "present" || resource.own || !resource.own) return undefined;`,
    scenario: "infra-sqsqueue",
  },
  {
    name: "made-without-tags",
    about: "a resource does not say whose it is, and its object does not know it again",
    file: `${ENGINE}/effects.ts`,
    find: `      const tags = wantedTags(cluster, object, ground);`,
    replace: `      const tags = cluster === "" ? wantedTags(cluster, object, ground) : {};`,
    scenario: "infra-sqsqueue",
  },
  {
    name: "old-one-left",
    about: "a resource that is replaced is never deleted",
    file: `${POLICIES}/replacement.ts`,
    find: `  return resource.fresh ? ask({ type: "remove" }, fact) :`,
    replace: `  return resource.fresh ? remember(creationIntent(seen, (memory.replacements ?? 0) + 1)) :`,
    scenario: "infra-ec2instance",
  },
  {
    name: "lag-means-absent",
    about: "a read that is behind counts as proof that nothing is there",
    file: `${POLICIES}/creation.ts`,
    find: `  if (resource.believedInMs > 0) {`,
    replace: `  if (resource.believedInMs < 0) {`,
    scenario: "infra-ec2instance",
  },
  {
    name: "denial-believed-at-once",
    about: "an object goes as soon as AWS denies its resource, which may have been made just now",
    file: `${POLICIES}/release.ts`,
    find: `  if (removed || resource.believedInMs === 0) return gone("Deleted");`,
    replace: `  if (removed || resource.believedInMs >= 0) return gone("Deleted");`,
    scenario: "infra-iamrole",
  },
  {
    name: "infra-ungated",
    about: "AWS is changed by a process that may have lost the lease",
    file: "test/simulation/infra.ts",
    find: `      gate: () => manager.gate.check(),\n`,
    replace: `      gate: () => undefined,\n`,
    scenario: "infra-iamrole",
  },
];
