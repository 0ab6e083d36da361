import type { Finding, GivenObject, ObjectKind } from "@gatewright/gateway";

interface Named {
  readonly kind: ObjectKind;
  readonly namespace: string;
  readonly name: string;
}

/** What one of our gateways holds: everything but what is called `bad`. */
export class TakingTarget {
  readonly objects = new Map<string, GivenObject>();
  changes = 0;
  replacements = 0;

  replace(objects: readonly GivenObject[]): readonly Finding[] {
    this.replacements++;
    this.objects.clear();
    return this.#set(objects);
  }

  change(set: readonly GivenObject[], removed: readonly Named[]): readonly Finding[] {
    this.changes += set.length + removed.length;
    for (const { kind, namespace, name } of removed) this.objects.delete(`${kind} ${namespace}/${name}`);
    return this.#set(set);
  }

  held(): readonly GivenObject[] {
    return [...this.objects.values()];
  }

  #set(objects: readonly GivenObject[]): readonly Finding[] {
    return objects.flatMap((object): Finding[] => {
      const { kind, namespace, name, version } = object;
      this.objects.set(`${kind} ${namespace}/${name}`, object);
      if (name !== "bad") return [];
      return [{ kind, namespace, name, version, severity: "error", field: "spec.match", message: "is bad" }];
    });
  }
}
