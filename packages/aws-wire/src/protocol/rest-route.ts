import { shapeOf } from "../model.ts";
import type { OperationModel, ServiceModel, ShapeUse } from "../model.ts";

/** A request of a REST protocol, taken apart. */
export interface RestTarget {
  readonly method: string;
  /** Encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RestMatch {
  readonly operation: string;
  /** Values of the path's members, decoded. */
  readonly labels: ReadonlyMap<string, string>;
  /** Names in the query that the operation knows nothing of. */
  readonly unknownQuery: readonly string[];
}

interface Template {
  readonly operation: string;
  readonly method: string;
  readonly segments: readonly string[];
  /** `?tagging`, `?list-type=2`: what must be in the query. */
  readonly literals: URLSearchParams;
  readonly needs: readonly ShapeUse[];
  /** Names that the query may have: literals and members. */
  readonly known: ReadonlySet<string>;
}

const templates = new WeakMap<ServiceModel, readonly Template[]>();

/** The operation that a request is for: of those that fit, the one that asks for most. */
export function matchOperation(model: ServiceModel, target: RestTarget): RestMatch | undefined {
  let known = templates.get(model);
  if (!known) templates.set(model, (known = templatesOf(model)));
  for (const template of known) {
    if (template.method !== target.method || !needsMet(template, target)) continue;
    const labels = matchPath(template.segments, target.path);
    if (labels) return { operation: template.operation, labels, unknownQuery: unknownIn(template, target) };
  }
  return undefined;
}

function templatesOf(model: ServiceModel): readonly Template[] {
  return Object.entries(model.operations)
    .map(([operation, { method, uri, input }]): Template => {
      const [path = "", query = ""] = uri.split("?");
      const literals = new URLSearchParams(query);
      return {
        operation,
        method,
        segments: segmentsOf(path),
        literals,
        needs: requiredElsewhere(model, input),
        known: new Set([...literals.keys(), ...queryMembers(model, input)]),
      };
    })
    .sort((a, b) => weight(b) - weight(a));
}

function weight({ literals, needs, segments }: Template): number {
  const fixed = segments.filter((segment) => !segment.startsWith("{")).length;
  return (literals.size + needs.length) * 100 + fixed * 10 + segments.length;
}

/** Members of the query and of headers without which it is not this operation. */
function requiredElsewhere(model: ServiceModel, input: OperationModel["input"]): readonly ShapeUse[] {
  const shape = input === undefined ? undefined : shapeOf(model, input);
  if (shape?.type !== "structure") return [];
  return (shape.required ?? []).flatMap((name) => {
    const member = shape.members[name];
    return member?.in === "querystring" || member?.in === "header" ? [{ ...member, name: member.name ?? name }] : [];
  });
}

function queryMembers(model: ServiceModel, input: OperationModel["input"]): readonly string[] {
  const shape = input === undefined ? undefined : shapeOf(model, input);
  if (shape?.type !== "structure") return [];
  return Object.entries(shape.members).flatMap(([name, use]) => (use.in === "querystring" ? [use.name ?? name] : []));
}

function unknownIn({ known }: Template, { query }: RestTarget): readonly string[] {
  return [...new Set(query.keys())].filter((name) => !known.has(name));
}

function needsMet({ literals, needs }: Template, { query, headers }: RestTarget): boolean {
  for (const [name, value] of literals)
    if (!query.has(name) || (value !== "" && query.get(name) !== value)) return false;
  return needs.every(({ in: where, name = "" }) =>
    where === "header" ? headers[name.toLowerCase()] !== undefined : query.has(name),
  );
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function matchPath(segments: readonly string[], path: string): ReadonlyMap<string, string> | undefined {
  const labels = new Map<string, string>();
  let rest = path.replace(/^\//, "");
  for (const segment of segments) {
    const label = /^\{(\w+)(\+?)\}$/.exec(segment);
    if (label?.[2] === "+") {
      if (rest === "") return undefined;
      labels.set(label[1] ?? "", decode(rest));
      rest = "";
      break;
    }
    const slash = rest.indexOf("/");
    const step = slash < 0 ? rest : rest.slice(0, slash);
    rest = slash < 0 ? "" : rest.slice(slash + 1);
    if (step === "") return undefined;
    if (label) labels.set(label[1] ?? "", decode(step));
    else if (step !== segment) return undefined;
  }
  return rest.replaceAll("/", "") === "" ? labels : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
