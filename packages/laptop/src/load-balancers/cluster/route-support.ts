import type { RouteFilter, RouteView } from "./route-view.ts";

/** What a route asks for that an application load balancer cannot do. */
export interface Unsupported {
  readonly reason: "UnsupportedValue" | "IncompatibleFilters";
  readonly message: string;
}

const FILTERS: readonly RouteFilter["type"][] = ["RequestRedirect", "URLRewrite", "ExtensionRef"];

/** The first thing in a route that cannot be done; undefined when all of it can. Such a route is left out as a whole. */
export function unsupportedIn(route: RouteView): Unsupported | undefined {
  for (const { matches, filters, backends } of route.rules) {
    const filter = filters.find(({ type }) => !FILTERS.includes(type));
    if (filter !== undefined) return unsupported(`Filters of type ${filter.type} are not supported.`);
    if (backends.some((backend) => (backend.filters ?? []).length > 0)) {
      return unsupported("Filters of single backends are not supported.");
    }
    const redirect = filters.find(({ requestRedirect }) => requestRedirect !== undefined)?.requestRedirect;
    if (redirect !== undefined && redirect.statusCode !== 301 && redirect.statusCode !== 302) {
      return unsupported(`Redirects with status ${redirect.statusCode} are not supported; 301 and 302 are.`);
    }
    if (redirect?.path?.replacePrefixMatch !== undefined) {
      return unsupported("Redirects that replace a prefix are not supported.");
    }
    if (
      matches.some(
        ({ path }) => path.type !== "RegularExpression" && path.type !== "Wildcards" && /[*?]/.test(path.value),
      )
    ) {
      return unsupported("Paths cannot have * and ? in them: load balancers take them for wildcards.");
    }
    if (matches.some(({ query }) => query.some(({ type }) => type === "RegularExpression"))) {
      return unsupported("Query parameters cannot be compared with regular expressions.");
    }
  }
  return undefined;
}

function unsupported(message: string): Unsupported {
  return { reason: "UnsupportedValue", message };
}
