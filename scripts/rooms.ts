/** Which rooms each room may import: the arrows of ARCHITECTURE.md. What is not listed may not be imported. */
export const ROOMS: ReadonlyMap<string, readonly string[]> = new Map([
  ["ports", []],
  ["kube", []],
  ["apiserver", ["ports", "kube"]],
  ["cli", ["ports", "apiserver"]],
]);

/** Where real clocks, randomness and sockets of the outside may be touched. */
export const ADAPTER_ROOMS: ReadonlySet<string> = new Set(["ports"]);
