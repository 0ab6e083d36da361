import type { SystemDefinition, SystemPort, SystemPorts } from "./simulated-system.ts";
import { TransportError } from "../../transport/transport-error.ts";
import { WatchedSystem } from "./watched-system.ts";
import type { SystemChange } from "./watched-system.ts";

/** Told of what changed in a system, once for each call. */
export type SystemListener = (system: WatchedSystem, changes: readonly SystemChange[]) => void;

/** The systems of a world. */
export class Systems {
  readonly #all: readonly WatchedSystem[];

  private constructor(all: readonly WatchedSystem[]) {
    this.#all = all;
  }

  /** Opens them, each with randomness of its own. */
  static async open(
    definitions: readonly SystemDefinition[],
    ports: (name: string) => SystemPorts,
    tell: SystemListener,
  ): Promise<Systems> {
    const all: WatchedSystem[] = [];
    for (const { name, open } of definitions) all.push(new WatchedSystem(name, await open(ports(name)), tell));
    return new Systems(all);
  }

  get busy(): boolean {
    return this.#all.some(({ busy }) => busy);
  }

  named(name: string): WatchedSystem {
    const system = this.#all.find((each) => each.name === name);
    if (system === undefined) throw new TypeError(`there is no system ${name} in this world`);
    return system;
  }

  /** A way to a system on which nothing goes wrong and no time passes. */
  direct(name: string): SystemPort {
    const system = this.named(name);
    return async (request) => {
      const { answer } = await system.answer(request);
      if (answer instanceof TransportError) throw answer;
      return answer;
    };
  }

  /** How many resources there are. */
  get size(): number {
    return this.#all.reduce((sum, { resources }) => sum + resources.size, 0);
  }

  /** The names of all resources by their ids. */
  names(): ReadonlyMap<string, string> {
    return new Map(
      this.#all.flatMap(({ name: system, resources }) =>
        [...resources].flatMap(([id, { name, aliases = [] }]) =>
          [id, ...aliases].map((known) => [known, `${system} ${name}`] as const),
        ),
      ),
    );
  }

  /** All resources by name, as they are. */
  contents(): readonly { readonly name: string; readonly content: unknown }[] {
    return this.#all.flatMap(({ name: system, resources }) =>
      [...resources.values()].map(({ name, content }) => ({ name: `${system} ${name}`, content })),
    );
  }

  leftovers(): readonly string[] {
    return this.#all.flatMap((system) => system.leftovers());
  }
}
