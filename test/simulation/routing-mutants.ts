import type { Mutant } from "./mutants.ts";

const ROUTING = "packages/routing/src";

/** Bugs of what brings routes to gateways. */
export const ROUTING_MUTANTS: readonly Mutant[] = [
  {
    name: "push-ungated",
    about: "gateways are changed by a process that may have lost the lease",
    file: `${ROUTING}/push/push-session.ts`,
    find: `    gate();\n    counted.sent();\n    holdings.moves();\n    const outcome`,
    replace: `    counted.sent();\n    holdings.moves();\n    const outcome`,
    scenario: "routing",
  },
  {
    name: "loss-not-seen",
    about: "a gateway that has not what it was given is believed to have it",
    file: `${ROUTING}/push/push-session.ts`,
    find: `if (holdings.contradicts(now, asked))`,
    replace: `if (holdings.contradicts(now, -1))`,
    scenario: "routing",
  },
  {
    name: "half-known-pushed",
    about: "gateways are brought what is known before all of it is, and lose the rest",
    file: `${ROUTING}/distribution/change-pace.ts`,
    find: `    while (!this.#catalogue.complete || this.#ready <= revision) {`,
    replace: `    while (this.#ready <= revision) {`,
    scenario: "routing",
  },
  {
    name: "takeover-behind",
    about: "who takes over pushes what it knows, though the one before it knew more",
    file: `${ROUTING}/push/push-to-gateways.ts`,
    find: `      await options.feed.caughtUp(signal);\n`,
    replace: ``,
    scenario: "routing",
  },
  {
    name: "bad-means-unwanted",
    about: "who takes over takes from gateways what it can make nothing of",
    file: `${ROUTING}/feed/standings.ts`,
    find: `    else this.#catalogue.keep(ref);`,
    replace: `    else this.#catalogue.remove(ref);`,
    scenario: "routing",
  },
  {
    name: "lost-status-believed",
    about: "a status whose write got no answer is taken for what it was before",
    file: "packages/runtime/src/kit/update-status.ts",
    find: `    if (!isRefusal(error)) unsure.add(object);`,
    replace: ``,
    scenario: "routing",
  },
  {
    name: "pushed-by-all",
    about: "every replica pushes, and one that is behind undoes what the leader did",
    file: `${ROUTING}/push/push-to-gateways.ts`,
    find: `    when: "leading",`,
    replace: `    when: "always",`,
    scenario: "routing",
  },
];
