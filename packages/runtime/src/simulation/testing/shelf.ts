import { randomString } from "@gatewright/ports";
import type { SystemDefinition } from "../systems/simulated-system.ts";

/** What can be asked of a shelf. */
export type ShelfRequest =
  /** Puts a thing there; the same token gives the same thing again, for as long as it is there. */
  | { readonly do: "put"; readonly owner: string; readonly label: string; readonly token?: string }
  | { readonly do: "label"; readonly id: string; readonly label: string }
  | { readonly do: "remove"; readonly id: string }
  | { readonly do: "list" };

export interface ShelfThing {
  readonly id: string;
  readonly owner: string;
  readonly label: string;
}

/** What a shelf says: what there is of what was asked for, or why not. */
export type ShelfAnswer = { readonly things: readonly ShelfThing[] } | { readonly refused: string };

/** A system of things with owners and labels, which is all that it takes to make two of them, or to forget one. */
export const shelf: SystemDefinition = {
  name: "shelf",
  async open({ random }) {
    const things = new Map<string, ShelfThing & { readonly token?: string }>();
    let revision = 0;
    let listed: readonly ShelfThing[] = [];
    const put = (thing: ShelfThing): ShelfAnswer => {
      revision++;
      things.set(thing.id, thing);
      return { things: [thing] };
    };
    const answer = (asked: ShelfRequest, stale: boolean): ShelfAnswer => {
      switch (asked.do) {
        case "list":
          if (!stale) listed = [...things.values()];
          return { things: listed };
        case "put": {
          const { owner, label, token } = asked;
          const known = [...things.values()].find((thing) => token !== undefined && thing.token === token);
          if (known !== undefined) return { things: [known] };
          const id = randomString(random, "abcdefghijklmnop", 12);
          return put({ id, owner, label, ...(token !== undefined && { token }) });
        }
        case "label": {
          const thing = things.get(asked.id);
          return thing === undefined ? { refused: "not there" } : put({ ...thing, label: asked.label });
        }
        case "remove":
          if (things.delete(asked.id)) revision++;
          return { things: [] };
      }
    };
    return {
      describe: (request) => {
        const { do: site, ...rest } = request as ShelfRequest;
        return { site, writes: site !== "list", about: JSON.stringify(rest) };
      },
      async handle(request, { trouble }) {
        if (trouble === "throttled" || trouble === "error" || trouble === "denied") return { refused: trouble };
        const given = answer(request as ShelfRequest, trouble === "stale");
        return trouble === "late-error" ? { refused: trouble } : given;
      },
      summary: (given) => {
        const shown = given as ShelfAnswer;
        return { shown: "refused" in shown ? shown.refused : "ok", content: JSON.stringify(given) };
      },
      resources: () =>
        new Map(
          [...things.values()].map(({ id, owner, label }) => [id, { name: `thing of ${owner}`, content: { label } }]),
        ),
      revision: () => revision,
    };
  },
};
