import type { Clock } from "@gatewright/ports";
import type { Answer } from "../../exchange/answer.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import type { FetchJson } from "../../outbound/fetch-json.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { closedFilter } from "../closed-filter.ts";
import type { ReadingFiles } from "./graphql-filter.ts";
import { OpenapiCheck } from "./openapi-check.ts";
import { OpenapiDocument, OpenapiDocumentError } from "./openapi-document.ts";

/** `openAPIValidation` of an APIRoute. */
export interface OpenapiSpec {
  readonly enabled?: boolean;
  readonly specFile?: string;
  readonly specURL?: string;
  readonly specInline?: string;
  /** False: what does not fit is noted in the log and let through. */
  readonly failOnError?: boolean;
  readonly validateRequestBody?: boolean;
  readonly validateRequestHeaders?: boolean;
  readonly validateRequestParams?: boolean;
  readonly validateSecurity?: boolean;
}

const FIELD = "spec.openAPIValidation";
const FETCH_MS = 10_000;
const AGAIN_MS = 30_000;
const RENEW_MS = 300_000;

/**
 * Checks requests against an OpenAPI document of version 3: paths and methods, parameters of path and query, bodies of JSON; headers
 * and credentials when asked for. Bodies of other types are checked by their type only, parameters that are objects by whether they
 * are there. A document at an address is fetched as JSON and renewed every five minutes; until it is there the route answers 503.
 */
export function openapiFilter(
  spec: OpenapiSpec,
  around: Around & ReadingFiles & { readonly fetchJson: FetchJson },
): Filter | undefined {
  if (spec.enabled !== true) return undefined;
  const source = checkOf(spec, around);
  if (source === undefined) return closedFilter("openAPIValidation");
  const checks = {
    body: spec.validateRequestBody !== false,
    parameters: spec.validateRequestParams !== false,
    headers: spec.validateRequestHeaders === true,
    security: spec.validateSecurity === true,
  };
  const refuses = spec.failOnError !== false;
  const judged = (call: Call, refusal: Answer | undefined): Answer | undefined => {
    if (refusal === undefined || refuses || refusal.status === 413) return refusal;
    refusal.body?.cancel();
    call.trail.flag = "invalid_request";
    return undefined;
  };
  return {
    name: "openAPIValidation",
    request(call) {
      const { check } = source;
      if (check === undefined) return localAnswer(503, "misconfigured", "this route is not ready");
      const refusal = check.refusal(call, checks);
      if (refusal instanceof Promise) return refusal.then((later) => judged(call, later));
      return judged(call, refusal);
    },
  };
}

interface CheckSource {
  readonly check: OpenapiCheck | undefined;
}

function checkOf(
  spec: OpenapiSpec,
  around: Around & ReadingFiles & { readonly fetchJson: FetchJson },
): CheckSource | undefined {
  const { specInline = "", specFile = "", specURL = "" } = spec;
  const wrong = (field: string, message: string): undefined => {
    around.note({ field: `${FIELD}.${field}`, message, severity: "error", closed: true });
    return undefined;
  };
  if (specInline === "" && specFile === "" && specURL !== "")
    return around.kept.of("openAPIValidation", around.routeId, specURL, () => {
      const fetched = new FetchedCheck(specURL, around.fetchJson, around.clock);
      fetched.start();
      return { state: fetched, dispose: () => fetched.stop() };
    });
  const field = specInline !== "" ? "specInline" : "specFile";
  if (field === "specFile" && specFile === "")
    return wrong("specInline", "there is no document; those of ConfigMaps are filled in by the operator");
  let text = specInline;
  try {
    if (field === "specFile") text = around.readFile(specFile);
  } catch {
    return wrong(field, "the file cannot be read");
  }
  try {
    return around.kept.of("openAPIValidation", around.routeId, text, () => ({
      state: { check: new OpenapiCheck(OpenapiDocument.read(text)) },
    }));
  } catch (error) {
    if (!(error instanceof OpenapiDocumentError)) throw error;
    return wrong(field, error.message);
  }
}

/** The check of a document at an address. What was fetched stays until something newer is. */
class FetchedCheck implements CheckSource {
  check: OpenapiCheck | undefined;
  readonly #url: string;
  readonly #fetchJson: FetchJson;
  readonly #clock: Clock;
  readonly #stopped = new AbortController();
  #cancelTimer: () => void = () => {};

  constructor(url: string, fetchJson: FetchJson, clock: Clock) {
    this.#url = url;
    this.#fetchJson = fetchJson;
    this.#clock = clock;
  }

  /** Fetches now, and again and again until `stop`. */
  start(): void {
    void this.#load().then((fetched) => {
      if (this.#stopped.signal.aborted) return;
      this.#cancelTimer = this.#clock.timer(fetched ? RENEW_MS : AGAIN_MS, () => this.start());
    });
  }

  stop(): void {
    this.#stopped.abort();
    this.#cancelTimer();
  }

  async #load(): Promise<boolean> {
    try {
      const { status, body } = await this.#fetchJson({ url: this.#url, timeoutMs: FETCH_MS }, this.#stopped.signal);
      if (status !== 200 || body === undefined) return false;
      this.check = new OpenapiCheck(OpenapiDocument.of(body));
      return true;
    } catch {
      // The route answers 503 while there is none; it is tried again.
      return false;
    }
  }
}
