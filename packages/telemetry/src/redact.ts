import { isObject } from "@gatewright/kube";

/** Keys whose values are nobody's business. */
const SECRET_KEY =
  /token|password|passwd|secret(?![-_]?name)|authorization|credential|cookie|private[-_]?key|api[-_]?key/i;
/** Words that look like a secret wherever they stand: bearer tokens and private keys. */
const SECRET_TEXT =
  /\b(Bearer|Basic) +[\w.~+/=-]{6,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const HIDDEN = "[redacted]";
const MAX_DEPTH = 6;
const MAX_ITEMS = 100;

/**
 * A value as it may be logged: plain JSON without secrets. Values under keys that name secrets, the data of Secret objects, bearer
 * tokens and private keys within texts are hidden; what is nested or long beyond reason is cut. Never throws.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return describeError(value, depth);
  if (depth >= MAX_DEPTH) return "[nested too deeply]";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[no date]" : value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  const entries = value instanceof Map ? [...value] : value instanceof Set ? undefined : Object.entries(value);
  if (entries === undefined) return redact([...(value as Set<unknown>)], depth);
  const isSecret = isObject(value) && value["kind"] === "Secret";
  return Object.fromEntries(
    entries.slice(0, MAX_ITEMS).map(([key, item]: [unknown, unknown]) => {
      const name = String(key);
      const hidden = SECRET_KEY.test(name) || (isSecret && (name === "data" || name === "stringData"));
      return [name, hidden && item !== undefined && item !== null ? HIDDEN : redact(item, depth + 1)];
    }),
  );
}

/** A text without what looks like a secret in it. */
export function redactText(text: string): string {
  return text.replace(SECRET_TEXT, (_whole, scheme: string | undefined) =>
    scheme === undefined ? HIDDEN : `${scheme} ${HIDDEN}`,
  );
}

/** An error with its name, message, code and causes; the stack only of the outermost. */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const code: unknown = Reflect.get(error, "code");
  const errors: unknown = error instanceof AggregateError ? error.errors : undefined;
  return {
    name: error.name,
    message: redactText(error.message),
    ...((typeof code === "string" || typeof code === "number") && { code }),
    ...(error.cause !== undefined && depth < MAX_DEPTH && { cause: redact(error.cause, depth + 1) }),
    ...(Array.isArray(errors) && depth < MAX_DEPTH && { errors: redact(errors, depth + 1) }),
    ...(depth <= 1 && error.stack !== undefined && { stack: redactText(error.stack) }),
  };
}
