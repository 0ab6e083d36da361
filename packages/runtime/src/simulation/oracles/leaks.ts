import type { Oracle } from "./oracle.ts";

/** Every object has somebody who wants it: when the user has deleted all that they made, nothing is left. */
export const leaks: Oracle = {
  name: "leaks",
  about: "nothing is left when the user has deleted everything",
  judge: ({ leftovers }) => leftovers.map((object) => `${object} is left`),
};
