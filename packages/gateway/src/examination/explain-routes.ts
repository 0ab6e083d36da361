import { checkObject } from "../configuration/check-object.ts";
import type { Finding, GivenObject } from "../configuration/objects.ts";
import { StateKeeper } from "../kept/state-keeper.ts";
import { askedRequest } from "../observability/asked-request.ts";
import { explain } from "../table/explain.ts";
import type { Explanation } from "../table/explain.ts";
import type { MatchRow } from "../table/match-row.ts";
import { RoutingTable } from "../table/routing-table.ts";
import { compileApart, isRoute } from "./examine.ts";

/** What a gateway that has these routes, and no others, would do with a request. */
export interface RoutesExplained {
  readonly explanation: Explanation;
  /** Why some of them take no request. */
  readonly findings: readonly Finding[];
}

/**
 * Explains a request with these routes. `asked` as the admin endpoint of a gateway has it: `host`, `path`, `method`, `header`. A text
 * says what is wrong with it. Opens no sockets, reads no files and asks nobody.
 */
export function explainRoutes(objects: readonly GivenObject[], asked: URLSearchParams): RoutesExplained | string {
  const question = askedRequest(asked);
  if (typeof question === "string") return question;
  const keeper = new StateKeeper();
  try {
    const add: MatchRow[] = [];
    const findings: Finding[] = [];
    for (const given of objects) {
      const { checked, findings: said } = checkObject(given);
      findings.push(...said);
      if (checked === undefined || !isRoute(checked)) continue;
      const made = compileApart(checked, keeper.keeping());
      add.push(...made.rows);
      findings.push(...made.findings);
    }
    const table = RoutingTable.empty().edited({ add, remove: [] });
    return { explanation: explain(table, question), findings: findings.filter(isError) };
  } finally {
    keeper.dispose();
  }
}

function isError({ severity }: Finding): boolean {
  return severity === "error";
}
