import { seconds } from "./oracle.ts";
import type { Oracle } from "./oracle.ts";

/** Whatever happens, errors are handled where they belong, and processes end when they are asked to and not before. */
export const mishaps: Oracle = {
  name: "mishaps",
  about: "nothing is thrown past everybody; processes end when asked to, and only then",
  judge: ({ mishaps: all, stopped }) => [
    ...all.map(({ at, what }) => `at ${seconds(at)}: ${what}`),
    ...(stopped ? [] : ["a process did not end within a minute of being asked to"]),
  ],
};
