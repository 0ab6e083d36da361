import type { Laws, SystemResource } from "@gatewright/runtime/simulation";
import { APPROVE } from "./infra-people.ts";

interface Tagged {
  readonly tags: readonly (readonly [key: string, value: string])[];
}

/** Which resources are special, by their names. */
export interface InfraWards {
  /** A policy protects them. */
  readonly protects: RegExp;
  /** They are nobody's. */
  readonly foreign: RegExp;
  /** Goes when its object is approved or deleted, and not before. */
  readonly replaced: { readonly object: string; readonly resource: RegExp };
}

/**
 * What must hold at every instant: an object has at most one resource; what a policy protects, or is nobody's, is never deleted once
 * it is there; what is nobody's is never changed; and nothing is replaced that nobody approved.
 */
export function infraLaws({ protects, foreign, replaced }: InfraWards): () => Laws {
  return () => {
    const there = new Set<string>();
    const first = new Map<string, string>();
    let mayGo = false;
    return {
      objects(_, type, { metadata }) {
        if (metadata.name !== replaced.object) return undefined;
        const { annotations = {}, deletionTimestamp } = metadata;
        mayGo ||= type === "DELETED" || deletionTimestamp !== undefined || Object.hasOwn(annotations, APPROVE);
        return undefined;
      },
      systems(_, now) {
        const names = new Set([...now.values()].map(({ name }) => name));
        for (const name of there) {
          if (names.has(name) || (mayGo && replaced.resource.test(name))) continue;
          return replaced.resource.test(name)
            ? `${name} was deleted, which nobody had approved`
            : `${name} was deleted, which must stay`;
        }
        for (const name of names) {
          if (protects.test(name) || foreign.test(name) || replaced.resource.test(name)) there.add(name);
        }
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
