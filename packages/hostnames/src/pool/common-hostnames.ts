/** The hostnames of a route that a listener lets through. As Gateway API has it, `*.` stands for one label or more. */
export function commonHostnames(listener: string, route: readonly string[] | undefined): readonly string[] {
  if (route === undefined || route.length === 0) return [listener];
  return route.flatMap((each) => {
    if (each === listener || spans(listener, each)) return [each];
    return spans(each, listener) ? [listener] : [];
  });
}

function spans(pattern: string, hostname: string): boolean {
  return pattern.startsWith("*.") && hostname.endsWith(pattern.slice(1)) && hostname !== pattern;
}
