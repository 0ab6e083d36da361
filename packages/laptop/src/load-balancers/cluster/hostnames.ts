/** Hostnames as Gateway API has them: lower case, perhaps with `*.` in front, which stands for one label or more. */

/** The narrower of two hostnames that have something in common; undefined when they have not. No hostname means all. */
export function intersection(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || one === "") return other;
  if (other === undefined || other === "") return one;
  if (one === other || covers(other, one)) return one;
  return covers(one, other) ? other : undefined;
}

/** The hostnames of a route that a listener lets through; one that is undefined means all. Empty: none. */
export function commonHostnames(
  listener: string | undefined,
  route: readonly string[] | undefined,
): readonly (string | undefined)[] {
  if (route === undefined || route.length === 0) return [listener === "" ? undefined : listener];
  return route.flatMap((each) => intersection(listener, each) ?? []);
}

/** Whether a certificate's name is good for a hostname: a `*` in it stands for exactly one label. */
export function certifies(certified: string, hostname: string): boolean {
  const name = certified.toLowerCase();
  if (name === hostname) return true;
  const dot = hostname.indexOf(".");
  return name.startsWith("*.") && !hostname.startsWith("*.") && dot > 0 && name.slice(1) === hostname.slice(dot);
}

function covers(pattern: string, hostname: string): boolean {
  return pattern.startsWith("*.") && hostname.endsWith(pattern.slice(1));
}
