import { methodNotAllowed } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { UserInfo } from "./auth/index.ts";
import { isStream } from "./http/api-request.ts";
import type { ApiRequest, ApiResponse, StreamBody } from "./http/api-request.ts";
import type { PathHandler } from "./server-route.ts";

export type PathAccess = "rule" | "users" | "anybody";

/** One path that the server's owner serves beside those of Kubernetes. */
export interface ExtraPath {
  /** `/watch`: this path alone. `/console/`: all that begin with it. */
  readonly path: string;
  /**
   * Who is answered, beside the guard against other sites. `rule`: whoever a rule lets `get` this path. `users`: whoever says who they
   * are, for what looks at their rights itself. `anybody`: also who does not, for what holds nothing. Default: `rule`.
   */
  readonly access?: PathAccess;
  /**
   * Answers GET by a caller who may `get` this path. A StatusError that it throws is the answer. A stream ends when the caller goes
   * away and when the server closes; how much waits for a slow reader is up to whoever writes it.
   */
  handle(request: ApiRequest, user: UserInfo): Promise<ApiResponse> | ApiResponse;
}

/**
 * Paths beside those of Kubernetes. They are behind the same guard, authentication and authorization as other paths that are no
 * resources: a caller who is no admin needs a rule on `nonResourceURLs`.
 */
export interface ExtraPaths {
  readonly served: readonly ExtraPath[];
  /** Fields that `GET /` tells beside `paths`. */
  readonly about?: JsonObject;
  /** Where `GET /` sends browsers. Default: they get JSON like anybody. */
  readonly home?: string;
}

const TAKEN = new Set(["", ".well-known", "api", "apis", "healthz", "livez", "openapi", "openid", "readyz", "version"]);

/**
 * No page of another site may show the answers in a frame or take them for something else. Nothing allows other origins to read
 * them, and the guard refuses those that try.
 */
const CLOSED_TO_OTHER_SITES = {
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Answers the extra paths. Throws when one of them is the server's own, or is given twice. */
export function extraPaths({ served }: ExtraPaths, stopping: AbortSignal): PathHandler {
  const known = new Set<string>();
  for (const { path } of served) {
    if (TAKEN.has(path.split("/")[1] ?? "") || !path.startsWith("/") || known.has(path)) {
      throw new TypeError(`the path ${path} cannot be added`);
    }
    known.add(path);
  }
  const find = finder(served);
  return async (request, path, user) => {
    const extra = find(path);
    if (extra === undefined) return undefined;
    if (request.method !== "GET") throw methodNotAllowed();
    const { status, headers, body } = await extra.handle(request, user);
    return {
      status,
      headers: { ...CLOSED_TO_OTHER_SITES, ...headers },
      body: isStream(body) ? endingWith(body, stopping) : body,
    };
  };
}

/** Who may have a path, by the most exact of those that are served there. */
export function pathAccess({ served }: ExtraPaths): (path: string) => PathAccess {
  const find = finder(served);
  return (path) => find(path)?.access ?? "rule";
}

function finder(served: readonly ExtraPath[]): (path: string) => ExtraPath | undefined {
  const exact = new Map(served.map((extra) => [extra.path, extra]));
  const folders = served.filter(({ path }) => path.endsWith("/")).toSorted((a, b) => b.path.length - a.path.length);
  return (path) => exact.get(path) ?? folders.find((folder) => path.startsWith(folder.path));
}

function endingWith(body: StreamBody, stopping: AbortSignal): StreamBody {
  return {
    start(sink) {
      const stop = body.start(sink);
      const end = (): void => {
        leave();
        sink.end();
      };
      const leave = (): void => {
        stopping.removeEventListener("abort", end);
        stop();
      };
      if (stopping.aborted) end();
      else stopping.addEventListener("abort", end, { once: true });
      return leave;
    },
  };
}
