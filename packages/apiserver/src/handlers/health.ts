import type { ApiResponse } from "../http/api-request.ts";
import { pageNotFound, plainText } from "./encode.ts";

/** One thing that must be well. Returns what is wrong, or undefined. */
export interface HealthCheck {
  readonly name: string;
  /** Counts for readiness only: a server that is not ready is still alive. */
  readonly readinessOnly?: boolean;
  problem(): string | undefined;
}

/** Answers /healthz, /livez and /readyz, whole, verbose, or one check by itself. */
export function handleHealth(checks: readonly HealthCheck[], path: string, query: URLSearchParams): ApiResponse {
  const [, endpoint = "", name] = path.split("/");
  const relevant = checks.filter((check) => endpoint === "readyz" || check.readinessOnly !== true);
  if (name !== undefined) {
    const check = relevant.find((candidate) => candidate.name === name);
    if (!check) return pageNotFound();
    const problem = check.problem();
    return problem === undefined ? plainText(200, "ok") : plainText(500, `internal server error: ${problem}\n`);
  }
  const excluded = new Set(query.getAll("exclude"));
  const lines: string[] = [];
  let failed = false;
  for (const check of relevant) {
    const problem = excluded.has(check.name) ? undefined : check.problem();
    if (problem !== undefined) failed = true;
    lines.push(problem === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: ${problem}`);
  }
  if (failed) return plainText(500, `${lines.join("\n")}\n${endpoint} check failed\n`);
  return query.has("verbose")
    ? plainText(200, `${lines.join("\n")}\n${endpoint} check passed\n`)
    : plainText(200, "ok");
}
