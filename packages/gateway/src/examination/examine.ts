import type { JsonObject } from "@gatewright/kube";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { createBackend } from "../backends/create-backend.ts";
import type { BackendAround } from "../backends/create-backend.ts";
import { checkObject } from "../configuration/check-object.ts";
import type { CheckedObject } from "../configuration/checked-object.ts";
import type { Finding, GivenObject } from "../configuration/objects.ts";
import { DEFAULT_LIMITS } from "../configuration/settings/limits.ts";
import type { Keeping } from "../kept/state-keeper.ts";
import { StateKeeper } from "../kept/state-keeper.ts";
import { BackendHandle } from "../live/backend-book.ts";
import { compileRoute } from "../routes/compile-route.ts";
import type { CheckedRoute } from "../routes/compile-route.ts";
import { isPreflight } from "../routes/rows/preflight-rows.ts";
import type { MatchRow } from "../table/match-row.ts";
import type { Upstream } from "../upstream/upstream.ts";

export type { FieldMatch, OperationMatch, PathMatch, TextMatch } from "../table/match-row.ts";

/** Which requests a route is for, in the form that gateways compare requests with. */
export type ExaminedMatch = Pick<MatchRow, "host" | "path" | "methods" | "headers" | "query" | "grpc" | "operation">;

/** What a gateway would say about an object, and what it would make of it. */
export interface Examination {
  readonly findings: readonly Finding[];
  /** As gateways read it: unknown fields are gone, defaults are filled in. Undefined: it would be left out. May hold secrets. */
  readonly spec: JsonObject | undefined;
  /** Of routes. All that is asked of one entry of `match` for one host. */
  readonly matches: readonly ExaminedMatch[];
}

/**
 * What a gateway would say about an object: schema, rules, and everything that shows when it is compiled. Opens no sockets, reads no
 * files and asks nobody; what only a gateway's own machine can tell, such as whether a file is there, is not judged. Pure.
 */
export function examine(given: GivenObject): Examination {
  const { checked, findings } = checkObject(given);
  if (checked === undefined) return { findings, spec: undefined, matches: [] };
  const keeper = new StateKeeper();
  try {
    const keeping = keeper.keeping();
    const made = isRoute(checked) ? examineRoute(checked, keeping) : examineBackend(checked, keeping);
    const isGood = !made.findings.some(({ severity }) => severity === "error");
    return {
      findings: [...findings, ...made.findings],
      spec: isGood ? checked.spec : undefined,
      matches: isGood ? made.matches : [],
    };
  } finally {
    keeper.dispose();
  }
}

type Made = Pick<Examination, "findings" | "matches">;

/** Time stands still and nothing answers: what is compiled here never serves. */
const AROUND = {
  clock: new ManualClock(0),
  random: seededRandom(1),
  limits: DEFAULT_LIMITS,
  graphqlPath: "/graphql",
  fetchJson: () => new Promise<never>(() => {}),
} as const;

const UPSTREAM: Upstream = {
  send: () => ({ answer: new Promise(() => {}), cancel() {} }),
  active: 0,
  connections: 0,
  close() {},
};

function examineRoute(checked: CheckedRoute, keeping: Keeping): Made {
  const { rows, findings } = compileApart(checked, keeping);
  return { findings, matches: rows.filter((row) => !isPreflight(row)) };
}

/** Compiles a route as a gateway does, where nothing serves: no file is read and nobody is dialled. */
export function compileApart(
  checked: CheckedRoute,
  keeping: Keeping,
): { readonly rows: readonly MatchRow[]; readonly findings: readonly Finding[] } {
  const elsewhere = (): never => {
    throw new Error("files are on the gateway's machine");
  };
  const { rows, findings } = compileRoute({ ...checked, isLocal: true }, keeping.state, {
    ...AROUND,
    readFile: elsewhere,
    readBytes: elsewhere,
    backend: (destination) =>
      new BackendHandle(destination, () => {
        throw new Error("nothing is dialled");
      }),
  });
  return { rows, findings: findings.filter((finding) => !isAboutFile(finding)) };
}

function examineBackend(checked: Exclude<CheckedObject, CheckedRoute>, keeping: Keeping): Made {
  const findings: Finding[] = [];
  const { kind, namespace, name, version } = checked;
  const note: BackendAround["note"] = ({ severity, field, message }) =>
    void findings.push({ kind, namespace, name, version, severity, field, message });
  // Which files may be named is for each gateway to say.
  const local = { ...checked, isLocal: true } as const;
  createBackend(local, {
    ...AROUND,
    kept: keeping.state,
    settings: { allowAnyAddress: false, stickySecret: "", isReadable: () => true },
    connect: () => UPSTREAM,
    note,
  });
  return { findings, matches: [] };
}

/** Fields with names of files are all called so, and a file's content is judged by nothing but itself. */
function isAboutFile({ field }: Finding): boolean {
  return field.endsWith("File");
}

export function isRoute(checked: CheckedObject): checked is CheckedRoute {
  return checked.kind.endsWith("Route");
}
