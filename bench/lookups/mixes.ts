import { ask, rowOf } from "../../packages/gateway/src/table/sample-rows.ts";
import type { MatchRow } from "../../packages/gateway/src/table/match-row.ts";
import type { Question } from "../../packages/gateway/src/table/route-table.ts";

/** A request, and the route that has to take it. */
export interface Asked {
  readonly question: Question;
  readonly route: string;
}

/** A kind of table: so many routes, and a request for each of them. */
interface Mix {
  readonly name: string;
  make(routes: number): { readonly rows: readonly MatchRow[]; readonly requests: readonly Asked[] };
}

type Given = Parameters<typeof rowOf>[1];

/** One kind of route by its number, and the request that it takes. */
type Kind = (at: number) => { readonly given: Given; readonly asks: Question };

const folder = (at: number): string => `/team-${at % 100}/service-${at}`;
const header = (name: string, value: string) => ({ name, test: { type: "exact", value } }) as const;

const exact: Kind = (at) => ({
  given: { path: { type: "exact", value: `${folder(at)}/orders` } },
  asks: ask(`GET shop.test${folder(at)}/orders`),
});
const prefix: Kind = (at) => ({
  given: { path: { type: "prefix", value: folder(at) } },
  asks: ask(`GET shop.test${folder(at)}/orders/7`),
});
const template: Kind = (at) => ({
  given: { path: { type: "template", value: `${folder(at)}/{id}`, prefix: false } },
  asks: ask(`GET shop.test${folder(at)}/7`),
});
const regex: Kind = (at) => ({
  given: { path: { type: "regex", value: `${folder(at)}/[0-9]+` } },
  asks: ask(`GET shop.test${folder(at)}/7`),
});
/** All of them at one path, told apart by a part of an element. */
const regexAtOnePath: Kind = (at) => ({
  given: { path: { type: "regex", value: `/items/item-${at}-[0-9]+` } },
  asks: ask(`GET shop.test/items/item-${at}-7`),
});
/** All of them at one path, told apart by a header. */
const tenant: Kind = (at) => ({
  given: { path: { type: "prefix", value: "/tenants" }, headers: [header("x-tenant", `tenant-${at}`)] },
  asks: ask("GET shop.test/tenants/orders", "accept", "*/*", "x-tenant", `tenant-${at}`),
});
const parameter: Kind = (at) => ({
  given: { path: { type: "exact", value: "/search" }, query: [header("key", `key-${at}`)] },
  asks: ask(`GET shop.test/search?sort=up&key=key-${at}`),
});
const host: Kind = (at) => ({
  given: { host: `shop-${at}.test`, path: { type: "prefix", value: "/" } },
  asks: ask(`GET shop-${at}.test/orders/7`),
});

function mixOf(name: string, ...kinds: readonly Kind[]): Mix {
  return {
    name,
    make(routes) {
      const made = Array.from({ length: routes }, (_, at) => ({
        route: `route-${at}`,
        ...kinds[at % kinds.length]!(at),
      }));
      return {
        rows: made.map(({ route, given }) => rowOf(route, given)),
        requests: made.map(({ route, asks }) => ({ route, question: asks })),
      };
    },
  };
}

export const MIXES: readonly Mix[] = [
  mixOf("exact paths", exact),
  mixOf("prefixes", prefix),
  mixOf("templates", template),
  mixOf("patterns", regex),
  mixOf("patterns at one path", regexAtOnePath),
  mixOf("a header's value at one path", tenant),
  mixOf("a parameter's value at one path", parameter),
  mixOf("hosts", host),
  mixOf("all of these", exact, prefix, template, regex, regexAtOnePath, tenant, parameter, host),
];
