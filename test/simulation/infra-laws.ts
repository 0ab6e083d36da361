import type { Laws, SystemResource } from "@gatewright/runtime/simulation";

interface Tagged {
  readonly tags: readonly (readonly [key: string, value: string])[];
}

/**
 * What must hold at every instant: an object has at most one resource; what a policy protects, or is nobody's, is never deleted once
 * it is there, and what is nobody's is never changed.
 */
export function infraLaws(protects: RegExp, foreign: RegExp): () => Laws {
  return () => {
    const there = new Set<string>();
    const first = new Map<string, string>();
    return {
      systems(_, now) {
        const names = new Set([...now.values()].map(({ name }) => name));
        for (const name of there) if (!names.has(name)) return `${name} was deleted, which must stay`;
        for (const name of names) if (protects.test(name) || foreign.test(name)) there.add(name);
        for (const { name, content } of now.values()) {
          if (!foreign.test(name)) continue;
          const text = JSON.stringify(content);
          if ((first.get(name) ?? text) !== text) return `${name} was changed, and is nobody's: ${text}`;
          first.set(name, text);
        }
        return secondOf(now);
      },
    };
  };
}

function secondOf(now: ReadonlyMap<string, SystemResource>): string | undefined {
  const owned = new Map<string, string>();
  for (const [id, { name, content }] of now) {
    const tags = new Map((content as Tagged).tags);
    const owner = tags.get("gatewright.dev/name");
    if (owner === undefined) continue;
    const key = `${tags.get("gatewright.dev/namespace")}/${owner}`;
    const other = owned.get(key);
    if (other !== undefined) return `${key} has two resources: ${other} and ${id} (${name})`;
    owned.set(key, id);
  }
  return undefined;
}
