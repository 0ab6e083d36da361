import { TransportError } from "../../transport/transport-error.ts";
import type { SimulatedSystem, SystemCall, SystemResource, Trouble } from "./simulated-system.ts";

/** How a resource of a system changed. */
export interface SystemChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** `aws certificate shop.example.com`. */
  readonly resource: string;
}

interface Known {
  readonly name: string;
  readonly content: string;
}

/** A system whose resources are compared after each call, so that oracles know what changed, and by which call. */
export class WatchedSystem {
  readonly name: string;
  readonly #system: SimulatedSystem;
  readonly #tell: (system: WatchedSystem, changes: readonly SystemChange[]) => void;
  #revision: number;
  #known: ReadonlyMap<string, Known>;
  #resources: ReadonlyMap<string, SystemResource>;
  readonly #before: ReadonlyMap<string, Known>;

  /** What is there already counts as having always been there. */
  constructor(
    name: string,
    system: SimulatedSystem,
    tell: (system: WatchedSystem, changes: readonly SystemChange[]) => void,
  ) {
    this.name = name;
    this.#system = system;
    this.#tell = tell;
    this.#revision = system.revision();
    this.#resources = system.resources();
    this.#known = known(this.#resources);
    this.#before = this.#known;
  }

  /** All that exists, by id, as of the last call. */
  get resources(): ReadonlyMap<string, SystemResource> {
    return this.#resources;
  }

  get busy(): boolean {
    return this.#system.busy?.() ?? false;
  }

  describe(request: unknown): SystemCall {
    return this.#system.describe(request);
  }

  summary(answer: unknown): ReturnType<SimulatedSystem["summary"]> {
    return this.#system.summary(answer);
  }

  /** Has the system do a request, without any way between that could fail. Tells which of its resources changed meanwhile. */
  async answer(
    request: unknown,
    trouble?: Trouble,
  ): Promise<{ readonly answer: unknown; readonly changed: readonly string[] }> {
    // An abandoned request goes on at the system: the world decides what happens to its answer.
    const { signal } = new AbortController();
    let answer: unknown;
    try {
      answer = await this.#system.handle(request, { trouble, signal });
    } catch (error) {
      answer = new TransportError("cut", "the connection was cut", { cause: error });
    }
    return { answer, changed: this.#look().map(({ resource }) => resource) };
  }

  /** What is there beyond what always was, and what of that is gone or has changed. */
  leftovers(): readonly string[] {
    const left: string[] = [];
    for (const [id, { name }] of this.#known) if (!this.#before.has(id)) left.push(`${this.name} ${name}`);
    for (const [id, { name, content }] of this.#before) {
      const now = this.#known.get(id);
      if (now === undefined) left.push(`${this.name} ${name} was there before, and no longer`);
      else if (now.content !== content) left.push(`${this.name} ${name} is another than it was before`);
    }
    return left;
  }

  #look(): readonly SystemChange[] {
    const revision = this.#system.revision();
    if (revision === this.#revision) return [];
    this.#revision = revision;
    this.#resources = this.#system.resources();
    const [before, now] = [this.#known, known(this.#resources)];
    this.#known = now;
    const changes: SystemChange[] = [];
    for (const [id, { name, content }] of now) {
      const was = before.get(id);
      if (was === undefined) changes.push({ type: "ADDED", resource: `${this.name} ${name}` });
      else if (was.content !== content) changes.push({ type: "MODIFIED", resource: `${this.name} ${name}` });
    }
    for (const [id, { name }] of before) {
      if (!now.has(id)) changes.push({ type: "DELETED", resource: `${this.name} ${name}` });
    }
    if (changes.length > 0) this.#tell(this, changes);
    return changes;
  }
}

function known(resources: ReadonlyMap<string, SystemResource>): ReadonlyMap<string, Known> {
  return new Map([...resources].map(([id, { name, content }]) => [id, { name, content: JSON.stringify(content) }]));
}
