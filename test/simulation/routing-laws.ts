import type { Laws } from "@gatewright/runtime/simulation";

const KINDS: ReadonlyMap<string, string> = new Map([
  ["apiroutes.avapigw.io", "APIRoute"],
  ["backends.avapigw.io", "Backend"],
]);

/**
 * What must hold at every instant of a gateway that never fails: what it has it keeps for as long as the object is there that it is of,
 * whatever becomes of operators, leases and reads. `moving`: objects that may leave it earlier, since others take their place.
 */
export function routingLaws(gateway: string, moving: RegExp): () => Laws {
  return () => {
    /** Objects that are there, with their uids. */
    const alive = new Map<string, string>();
    /** Of what the gateway has, the uid of the object when it got it. */
    const had = new Map<string, string | undefined>();
    return {
      objects(resource, type, { metadata: { namespace, name, uid = "" } }) {
        const kind = KINDS.get(resource);
        if (kind === undefined) return undefined;
        const key = `${kind} ${namespace}/${name}`;
        if (type === "DELETED") alive.delete(key);
        else alive.set(key, uid);
        return undefined;
      },
      systems(_, now) {
        const prefix = `${gateway} `;
        const names = [...now.values()].flatMap(({ name }) =>
          name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
        );
        for (const [name, uid] of had) {
          if (names.includes(name)) continue;
          had.delete(name);
          if (uid !== undefined && uid === alive.get(name) && !moving.test(name)) {
            return `${name} was taken from gateway ${gateway}, and is wanted there`;
          }
        }
        for (const name of names) if (!had.has(name)) had.set(name, alive.get(name));
        return undefined;
      },
    };
  };
}
