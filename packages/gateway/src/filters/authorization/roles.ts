/** Gives a set of roles with all that they bring with them. */
export type ExpandRoles = (roles: readonly string[]) => ReadonlySet<string>;

/** Compiles a hierarchy. Circles in it do no harm. */
export function roleHierarchy(spec: Readonly<Record<string, readonly string[]>> = {}): ExpandRoles {
  const below = new Map(Object.entries(spec));
  if (below.size === 0) return (roles) => new Set(roles);
  return (roles) => {
    const all = new Set(roles);
    // A set that grows while it is walked: each role is walked once.
    for (const role of all) for (const more of below.get(role) ?? []) all.add(more);
    return all;
  };
}
