import { Fields } from "../exchange/fields.ts";
import type { CompiledRoute } from "../routes/compiled-route.ts";
import type { MatchRow } from "./match-row.ts";
import type { Question } from "./route-table.ts";

/** A route that only has a name, for tests of tables. */
export function routeNamed(name: string, namespace = "default"): CompiledRoute {
  return {
    id: `APIRoute ${namespace}/${name}`,
    kind: "APIRoute",
    namespace,
    name,
    filters: [],
    timeoutMs: undefined,
    act: () => ({ status: 204, fields: new Fields(), body: undefined }),
  };
}

/** A row for everything, but for what is given. */
export function rowOf(name: string, given: Partial<Omit<MatchRow, "route">> = {}): MatchRow {
  return {
    route: routeNamed(name),
    host: undefined,
    path: { type: "prefix", value: "/" },
    methods: undefined,
    headers: [],
    query: [],
    grpc: undefined,
    createdAt: Infinity,
    place: 0,
    ...given,
  };
}

/** A question as `GET host/path?query`, with header fields by turns. */
export function ask(line: string, ...fields: string[]): Question {
  const [method = "GET", url = ""] = line.split(" ");
  const slash = url.indexOf("/");
  const [authority, target] = slash === -1 ? [url, ""] : [url.slice(0, slash), url.slice(slash)];
  const [path = "", query = ""] = target.split("?");
  const list = new Fields(fields);
  const isGrpc = list.get("content-type")?.startsWith("application/grpc") ?? false;
  return { head: { method, authority, fields: list }, path, query, isGrpc };
}
