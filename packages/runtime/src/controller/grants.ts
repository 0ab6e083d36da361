import type { PolicyRule, Resource } from "@gatewright/kube";
import type { Verb } from "./definition.ts";

const VERBS: readonly Verb[] = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];
const NONE: ReadonlySet<Verb> = new Set();

interface Grant {
  readonly group: string;
  /** With its subresource: `pods/status`. */
  readonly resource: string;
  /** One object; all of them without it. */
  readonly name: string | undefined;
  readonly verbs: ReadonlySet<Verb>;
}

/** What is allowed in one place. Grows by {@link add}, and is read as rules that say exactly that. */
export class Grants {
  readonly #grants = new Map<string, Grant>();

  add(
    { group, plural }: Pick<Resource, "group" | "plural">,
    verbs: readonly Verb[],
    of: { readonly subresource?: string | undefined; readonly name?: string } = {},
  ): void {
    const resource = of.subresource === undefined ? plural : `${plural}/${of.subresource}`;
    const key = keyOf(group, resource, of.name);
    const before = this.#grants.get(key)?.verbs ?? NONE;
    this.#grants.set(key, { group, resource, name: of.name, verbs: new Set([...before, ...verbs]) });
  }

  /**
   * One rule for the resources of a group that have the same verbs, sorted. Leaves out what these grants give for all objects
   * anyway, and what `wider` gives.
   */
  rules(wider?: Grants): PolicyRule[] {
    const rules = new Map<string, PolicyRule & { resources: string[] }>();
    for (const { group, resource, name, verbs } of [...this.#grants.values()].sort(inOrder)) {
      const given = [
        name === undefined ? NONE : this.#verbs(group, resource),
        wider ? wider.#verbs(group, resource) : NONE,
      ];
      const left = VERBS.filter((verb) => verbs.has(verb) && !given.some((set) => set.has(verb)));
      if (left.length === 0) continue;
      const key = JSON.stringify([group, name, left]);
      const rule = rules.get(key);
      if (rule) rule.resources.push(resource);
      else rules.set(key, { apiGroups: [group], resources: [resource], ...named(name), verbs: left });
    }
    return [...rules.values()];
  }

  /** What may be done to all objects of a resource. */
  #verbs(group: string, resource: string): ReadonlySet<Verb> {
    return this.#grants.get(keyOf(group, resource, undefined))?.verbs ?? NONE;
  }
}

function keyOf(group: string, resource: string, name: string | undefined): string {
  return JSON.stringify([group, resource, name ?? null]);
}

function named(name: string | undefined): { resourceNames?: string[] } {
  return name === undefined ? {} : { resourceNames: [name] };
}

function inOrder(a: Grant, b: Grant): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1;
  if (a.resource !== b.resource) return a.resource < b.resource ? -1 : 1;
  return (a.name ?? "") < (b.name ?? "") ? -1 : 1;
}
