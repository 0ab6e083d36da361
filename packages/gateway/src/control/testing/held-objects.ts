import type { Finding, GivenObject } from "../../configuration/objects.ts";
import type { ConfigurationTarget, ObjectName } from "../../configuration/target.ts";

/** Takes any configuration, except objects that are called `bad`. */
export class HeldObjects implements ConfigurationTarget {
  readonly #objects = new Map<string, GivenObject>();

  /** Of objects with this name something is not supported. */
  remarksOn = "";

  get names(): string[] {
    return [...this.#objects.keys()].sort();
  }

  replace(objects: readonly GivenObject[]): readonly Finding[] {
    this.#objects.clear();
    return this.change(objects, []);
  }

  change(set: readonly GivenObject[], removed: readonly ObjectName[]): readonly Finding[] {
    for (const { kind, namespace, name } of removed) this.#objects.delete(`${kind} ${namespace}/${name}`);
    return set.flatMap((object): Finding[] => {
      const { kind, namespace, name, version } = object;
      if (name === "bad")
        return [{ kind, namespace, name, version, severity: "error", field: "spec.match", message: "is bad" }];
      this.#objects.set(`${kind} ${namespace}/${name}`, object);
      if (name === this.remarksOn)
        return [{ kind, namespace, name, version, severity: "warning", field: "spec.fault", message: "does nothing" }];
      return [];
    });
  }

  held(): readonly GivenObject[] {
    return [...this.#objects.values()];
  }
}
