/** The names in a certificate that would serve a host: its own, and a wildcard that stands for its first label. */
export function servingNames(name: string): readonly string[] {
  const dot = name.indexOf(".");
  return name.startsWith("*.") || dot < 0 ? [name] : [name, `*${name.slice(dot)}`];
}

/** Names with the same result have the same validation record: a name and its wildcard do. */
export function proofName(name: string): string {
  return name.startsWith("*.") ? name.slice(2) : name;
}
