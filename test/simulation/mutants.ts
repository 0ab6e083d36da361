/** A bug to plant: a piece of source that occurs once, and what takes its place. Nothing of it is in the product. */
export interface Mutant {
  readonly name: string;
  /** What goes wrong with it. */
  readonly about: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Where it shows. */
  readonly scenario: string;
}

const RUNTIME = "packages/runtime/src";
const COPIER = "packages/runtime/src/simulation/testing/copier.ts";

/** Bugs that simulation must find, each within 10,000 seeds. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: "queue-loses-add",
    about: "a key that is added while it runs is forgotten",
    file: `${RUNTIME}/queue/create-queue.ts`,
    find: `    entry.wants = "now";\n    entry.readyAt = now;`,
    replace: `    entry.wants = entry.running ? "nothing" : "now";\n    if (entry.running) return;\n    entry.readyAt = now;`,
    scenario: "copier",
  },
  {
    name: "queue-runs-twice",
    about: "a key that runs is handed out again",
    file: `${RUNTIME}/queue/create-queue.ts`,
    find: `    if (entry.running) this.#followUps++;\n    else this.#line.push(entry);`,
    replace: `    this.#line.push(entry);`,
    scenario: "copier",
  },
  {
    name: "queue-forgets-delay",
    about: "keys that wait for their time are never woken",
    file: `${RUNTIME}/queue/create-queue.ts`,
    find: `      this.#catchUp(fired);`,
    replace: ``,
    scenario: "copier",
  },
  {
    name: "no-list-after-410",
    about: "a watch whose version is forgotten is tried again instead of listed anew",
    file: `${RUNTIME}/cache/reflector-step.ts`,
    find: `      return stay(memory.failures === 1 ? { kind: relist, memory } : backOff(relist, memory, fault));`,
    replace: `      return stay(backOff("watching", memory, fault));`,
    scenario: "copier",
  },
  {
    name: "no-tombstones",
    about: "what a new list does not show stays in the cache",
    file: `${RUNTIME}/cache/object-store.ts`,
    find: `      if (shownKeys.has(key)) continue;`,
    replace: `      if (shownKeys.has(key) || !anew) continue;`,
    scenario: "copier",
  },
  {
    name: "own-writes-unseen",
    about: "the cache does not show what the process has written",
    file: `${RUNTIME}/cache/shared-informer.ts`,
    find: `    if (standing === "elsewhere") return;`,
    replace: `    if (standing !== undefined) return;`,
    scenario: "copier",
  },
  {
    name: "watch-from-now",
    about: "a watch goes on from now instead of from the last version seen",
    file: `${RUNTIME}/cache/reflector.ts`,
    find: `        ...(resourceVersion !== undefined && !(asList && newest) && { resourceVersion }),`,
    replace: `        ...(resourceVersion !== undefined && asList && !newest && { resourceVersion }),`,
    scenario: "copier",
  },
  {
    name: "version-before-store",
    about: "the version of an event is adopted though the event is not applied",
    file: `${RUNTIME}/cache/reflector-step.ts`,
    find: `effects: [{ type: late ? "ignore" : "apply", event }] };`,
    replace: `effects: [{ type: late || !state.progressed ? "ignore" : "apply", event }] };`,
    scenario: "copier",
  },
  {
    name: "stream-ends-early",
    about: "a list as a stream that was cut counts as whole",
    file: `${RUNTIME}/cache/reflector-step.ts`,
    find: `      if (input.fault.kind !== "unsupported")`,
    replace: `      if (input.fault.kind === "cut") return complete(memory, memory.resourceVersion ?? "33", input.at);\n      if (input.fault.kind !== "unsupported")`,
    scenario: "copier",
  },
  {
    name: "no-watchdog",
    about: "a watch that fell silent is never given up",
    file: `${RUNTIME}/cache/reflector.ts`,
    find: `      if (left <= 0) {`,
    replace: `      if (left === Number.NEGATIVE_INFINITY) {`,
    scenario: "copier",
  },
  {
    name: "deletion-is-a-version",
    about: "the cache keeps what was deleted",
    file: `${RUNTIME}/cache/shared-informer.ts`,
    find: `    this.#tell(event.type === "DELETED" ? this.#store.delete(object) : this.#store.put(object));`,
    replace: `    this.#tell(this.#store.put(object));`,
    scenario: "copier",
  },
  {
    name: "versions-as-text",
    about: "resourceVersions are compared as texts: 99 is newer than 100",
    file: "packages/kube/src/resource-version.ts",
    find: `  if (a.length !== b.length) return a.length - b.length;\n`,
    replace: ``,
    scenario: "copier",
  },
  {
    name: "deleted-map-ignored",
    about: "a deletion is not told to the controller",
    file: `${RUNTIME}/controller/sources.ts`,
    find: `      if (route.when(undefined, change.object)) put(change.object, 0);`,
    replace: ``,
    scenario: "copier",
  },
  {
    name: "errors-are-final",
    about: "a run that failed is not tried again",
    file: `${RUNTIME}/controller/verdict.ts`,
    find: `  return { result: "error", next: backoff(error), error, told: failed, mark: undefined };`,
    replace: `  return { result: "error", next: { kind: "forget" }, error, told: failed, mark: undefined };`,
    scenario: "copier",
  },
  {
    name: "conflicts-are-final",
    about: "a run that lost a race is not tried again",
    file: `${RUNTIME}/controller/verdict.ts`,
    find: `    return { result: "requeue", next: backoff(error), error, told, mark: undefined };`,
    replace: `    return { result: "requeue", next: { kind: "forget" }, error, told, mark: undefined };`,
    scenario: "copier",
  },
  {
    name: "retry-means-absent",
    about: "an object that could not be read counts as absent",
    file: `${RUNTIME}/client/resource-client.ts`,
    find: `        if (isMissing(error, resource, ref)) return undefined;`,
    replace: `        if (error instanceof Error) return undefined;`,
    scenario: "copier",
  },
  {
    name: "valid-too-long",
    about: "a renewed lease counts for longer than others leave it alone",
    file: `${RUNTIME}/lease/election.ts`,
    find: `    const validUntil = Math.max(state.validUntil, input.sentAt + rules.renewDeadlineMs);\n    return unlessOver({ ...state, held: input.lease`,
    replace: `    const validUntil = Math.max(state.validUntil, input.at + 3 * rules.durationMs);\n    return unlessOver({ ...state, held: input.lease`,
    scenario: "copier",
  },
  {
    name: "lease-taken-early",
    about: "a lease is taken over while its holder may still be valid",
    file: `${RUNTIME}/lease/election.ts`,
    find: `  return at >= since + durationMs;`,
    replace: `  return at >= since + durationMs / 3;`,
    scenario: "copier",
  },
  {
    name: "lease-written-blindly",
    about: "a lease is written over whatever is there",
    file: `${RUNTIME}/lease/lease-calls.ts`,
    find: `        body: JSON.stringify(leaseBody(ref, spec, base)),`,
    replace: `        body: JSON.stringify(leaseBody(ref, spec, base)).replace(/"resourceVersion":"\\d+",?/, ""),`,
    scenario: "copier",
  },
  {
    name: "copy-made-from-memory",
    about: "a controller makes an object for an owner that it has not asked for",
    file: COPIER,
    find: `    const original = await maps.get(ref);\n    if (original.metadata.uid !== uid || original.metadata.deletionTimestamp !== undefined) return done();`,
    replace: ``,
    scenario: "copier",
  },
];
