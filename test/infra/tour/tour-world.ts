import { setTimeout as sleep } from "node:timers/promises";
import type { Managed } from "@gatewright/infra";
import type { Immutable, JsonObject, Resource } from "@gatewright/kube";
import type { Client } from "@gatewright/runtime";
import type { Cli } from "./cli.ts";

const ANNOTATIONS = "aws-infra-operator.runner.codes";
/** In every spec: the provider, and the least time between comparisons. */
const EVERYBODY: JsonObject = { providerRef: { name: "aws" }, management: { drift: { interval: "30s" } } };
/** What does not become InSync by itself. */
const HOPELESS = ["WriteLoop", "Invalid", "ReplacementNeeded", "Conflict", "NameConflict", "Denied"];
const DEADLINE_MS = 30_000;

/** Where a tour takes place: an API server with our operator at it, and an AWS. */
export interface TourWorld {
  readonly user: Client;
  readonly cli: Cli;
  readonly namespace: string;
}

/** One object, as its user treats it: applied as a whole, looked at, deleted. */
export class TourObject {
  readonly #world: TourWorld;
  readonly #resource: Resource<Managed>;
  readonly name: string;
  readonly #base: JsonObject;
  #change: JsonObject = {};
  #approve: string | undefined;

  constructor(world: TourWorld, resource: Resource<Managed>, name: string, spec: JsonObject) {
    this.#world = world;
    this.#resource = resource;
    this.name = name;
    this.#base = spec;
  }

  /** Applies the spec that it began with, but for these members; null takes one out. */
  async put(change: JsonObject = {}): Promise<void> {
    this.#change = change;
    await this.#apply();
  }

  async approve(hash: string): Promise<void> {
    this.#approve = hash;
    await this.#apply();
  }

  /** Has the operator leave it alone, or no more. */
  async pause(paused: boolean): Promise<void> {
    const annotations = { [`${ANNOTATIONS}/paused`]: paused ? "true" : null };
    const ref = { namespace: this.#world.namespace, name: this.name };
    await this.#world.user.for(this.#resource).patch(ref, { merge: { metadata: { annotations } } });
    if (paused) await this.reason("Paused");
  }

  async #apply(): Promise<void> {
    const { group, version, kind } = this.#resource;
    const members = Object.entries({ ...EVERYBODY, ...this.#base, ...this.#change });
    const spec = Object.fromEntries(members.filter(([, value]) => value !== null));
    const object = {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: {
        namespace: this.#world.namespace,
        name: this.name,
        ...(this.#approve !== undefined && { annotations: { [`${ANNOTATIONS}/approve`]: this.#approve } }),
      },
      spec,
    };
    // What tours say is for the server to judge.
    await this.#world.user.for(this.#resource).apply(object, { force: true });
  }

  get(): Promise<Immutable<Managed> | undefined> {
    return this.#world.user.for(this.#resource).find({ namespace: this.#world.namespace, name: this.name });
  }

  /** Waits until Ready has this reason for the spec as it is now. Fails at once with one of the others. */
  async reason(wanted: string, never: readonly string[] = [], deadlineMs = DEADLINE_MS): Promise<Immutable<Managed>> {
    let seen: Immutable<Managed> | undefined;
    const ready = await eventually(
      `${this.#resource.kind} ${this.name} is ${wanted}`,
      async () => readyOf((seen = await this.get())),
      (condition) => condition !== undefined && [wanted, ...never].includes(condition.reason),
      deadlineMs,
    );
    if (ready?.reason !== wanted) throw new Error(`${this.name}: ${ready?.reason}: ${ready?.message}`);
    return seen!;
  }

  ready(deadlineMs = DEADLINE_MS): Promise<Immutable<Managed>> {
    return this.reason("InSync", HOPELESS, deadlineMs);
  }

  async delete(): Promise<void> {
    await this.#world.user.for(this.#resource).delete({ namespace: this.#world.namespace, name: this.name });
  }

  async gone(): Promise<void> {
    await eventually(
      `${this.#resource.kind} ${this.name} is gone`,
      async () => (await this.get())?.status?.conditions ?? null,
      (conditions) => conditions === null,
    );
  }
}

function readyOf(object: Immutable<Managed> | undefined) {
  return object?.status?.conditions?.find(
    ({ type, observedGeneration }) => type === "Ready" && observedGeneration === object.metadata.generation,
  );
}

/** Looks again until what is seen holds. Fails with the last of it. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > deadline) throw new Error(`${what}: did not happen; last seen: ${JSON.stringify(seen)}`);
    await sleep(50);
  }
}
