import type { Answer } from "../../exchange/answer.ts";
import { bytesSource } from "../../exchange/bodies.ts";
import { Fields } from "../../exchange/fields.ts";
import type { Around } from "../../filters/around.ts";
import { entries } from "../../filters/headers/field-changes.ts";

/** `directResponse` of a route. */
export interface DirectResponseSpec {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers that never have a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Answers without asking anyone. The body is plain text unless `headers` says otherwise. */
export function directResponseAction(spec: DirectResponseSpec, around: Pick<Around, "note">): () => Answer {
  const { status } = spec;
  if (status < 200 || status > 599)
    around.note({ field: "spec.directResponse.status", message: `${status} cannot end a request`, severity: "error" });
  const bodiless = BODILESS.has(status);
  if (bodiless && spec.body !== undefined && spec.body !== "")
    around.note({
      field: "spec.directResponse.body",
      message: `is left out: ${status} has no body`,
      severity: "warning",
    });
  const body = bodiless || spec.body === undefined ? undefined : Buffer.from(spec.body);
  const flat = entries(spec.headers ?? {}, "spec.directResponse.headers", around).flat();
  if (body !== undefined && !new Fields(flat).has("content-type"))
    flat.push("content-type", "text/plain; charset=utf-8");
  return () => ({
    status,
    fields: new Fields([...flat]),
    body: body === undefined ? undefined : bytesSource(body),
    origin: "direct_response",
  });
}
