/** Several errors as Go's aggregate of them reads: one as it is, more in brackets, each once. */
export function aggregateText(errors: Iterable<string>): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? distinct.join() : `[${distinct.join(", ")}]`;
}
