const SHORT: readonly (readonly [string, string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

/** Access modes as columns show them: `RWO,ROX`. */
export function accessModesText(modes: readonly string[]): string {
  return SHORT.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(",");
}
