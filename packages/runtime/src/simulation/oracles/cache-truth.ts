import type { Oracle } from "./oracle.ts";

/** When nothing has changed for a while, every cache holds exactly what the server has. */
export const cacheTruth: Oracle = {
  name: "cache truth",
  about: "caches hold what the server has, once it is at rest",
  judge: ({ cacheFaults }) => cacheFaults,
};
