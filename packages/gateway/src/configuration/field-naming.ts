/** Where a spec names this file: `spec.tls.certFile`. Fields with names of files are all called so. */
export function fieldNaming(spec: unknown, path: string): string {
  return found(spec, path, "spec") ?? "spec";
}

function found(value: unknown, path: string, field: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const where = Array.isArray(value) ? `${field}[${key}]` : `${field}.${key}`;
    if (inner === path && key.endsWith("File")) return where;
    const deeper = found(inner, path, where);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}
