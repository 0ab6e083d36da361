import type { Manager } from "./manager.ts";

/** The answer to a question about health. */
export interface HealthAnswer {
  readonly status: 200 | 404 | 500;
  readonly body: string;
}

const KINDS = new Map<string, "live" | "ready">([
  ["healthz", "live"],
  ["livez", "live"],
  ["readyz", "ready"],
]);

/** Answers `/livez`, `/readyz/cache/pods`, `/readyz?verbose&exclude=lease`, in the manner of the API server's own health paths. */
export function healthAnswer(manager: Pick<Manager, "health">, path: string, query: URLSearchParams): HealthAnswer {
  const [, asked = "", only = ""] = /^\/([^/]*)(?:\/(.*))?$/.exec(path) ?? [];
  const kind = KINDS.get(asked);
  if (kind === undefined) return { status: 404, body: "not found\n" };
  const checks = manager.health(kind);
  if (only !== "") {
    const check = checks.find(({ name }) => name === only);
    if (check === undefined) return { status: 404, body: "no such check\n" };
    return check.problem === undefined ? { status: 200, body: "ok" } : { status: 500, body: `${check.problem}\n` };
  }
  const excluded = new Set(query.getAll("exclude"));
  const lines = checks.map(({ name, problem }) => {
    if (excluded.has(name)) return `[+]${name} excluded: ok\n`;
    return problem === undefined ? `[+]${name} ok\n` : `[-]${name} failed: ${problem}\n`;
  });
  const failed = checks.some(({ name, problem }) => problem !== undefined && !excluded.has(name));
  if (failed) return { status: 500, body: `${lines.join("")}${asked} check failed\n` };
  return { status: 200, body: query.has("verbose") ? `${lines.join("")}${asked} check passed\n` : "ok" };
}
