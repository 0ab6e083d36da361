import { MalformedError } from "../malformed-error.ts";
import { shapeOf } from "../model.ts";
import type { ServiceModel, ShapeUse } from "../model.ts";
import { isScalar, scalarOf, scalarText, timestampFormat } from "./scalar.ts";
import type { Scalar } from "./scalar.ts";

/** Parameters of a form by their dotted names, as a tree. */
interface Node {
  readonly value: string | undefined;
  readonly children: ReadonlyMap<string, Node>;
}

interface GrowingNode {
  value: string | undefined;
  readonly children: Map<string, GrowingNode>;
}

const MAX_DEPTH = 32;

/** EC2 capitalises what other services of the query protocol write as it is, and has no `member` in lists. */
function wireName(model: ServiceModel, name: string, use: ShapeUse): string {
  if (model.protocol !== "ec2") return use.name ?? name;
  if (use.queryName !== undefined) return use.queryName;
  const own = use.name ?? name;
  return own.charAt(0).toUpperCase() + own.slice(1);
}

/** Appends a value's parameters, each under `prefix` and its own name. */
export function appendParameters(
  model: ServiceModel,
  use: ShapeUse,
  value: unknown,
  prefix: string,
  out: URLSearchParams,
): void {
  const shape = shapeOf(model, use.shape);
  const dot = prefix === "" ? "" : `${prefix}.`;
  switch (shape.type) {
    case "structure":
      for (const [name, member] of Object.entries(shape.members)) {
        const part = (value as Readonly<Record<string, unknown>>)[name];
        if (part !== undefined && part !== null) {
          appendParameters(model, member, part, dot + wireName(model, name, member), out);
        }
      }
      break;
    case "list": {
      const items = value as readonly unknown[];
      const flat = model.protocol === "ec2" || use.flattened === true || shape.flattened === true;
      const base = flat ? prefix : `${prefix}.${shape.member.name ?? "member"}`;
      if (items.length === 0 && model.protocol !== "ec2") out.append(prefix, "");
      items.forEach((item, i) => appendParameters(model, shape.member, item, `${base}.${i + 1}`, out));
      break;
    }
    case "map":
      Object.entries(value as object).forEach(([key, item], i) => {
        const entry = `${prefix}${use.flattened === true || shape.flattened === true ? "" : ".entry"}.${i + 1}`;
        out.append(`${entry}.${shape.key.name ?? "key"}`, key);
        appendParameters(model, shape.value, item, `${entry}.${shape.value.name ?? "value"}`, out);
      });
      break;
    default:
      out.append(prefix, scalarText(shape, value as Scalar, timestampFormat(shape, use, "iso8601")));
  }
}

/** What the parameters of a form say. Parameters that the model does not know are passed over. */
export function fromParameters(model: ServiceModel, use: ShapeUse, parameters: URLSearchParams): unknown {
  const root: GrowingNode = { value: undefined, children: new Map() };
  for (const [name, value] of parameters) {
    const steps = name.split(".");
    if (steps.length > MAX_DEPTH) throw new MalformedError("a parameter's name has too many parts");
    let node = root;
    for (const step of steps) {
      let next = node.children.get(step);
      if (!next) node.children.set(step, (next = { value: undefined, children: new Map() }));
      node = next;
    }
    node.value = value;
  }
  return fromNode(model, use, root, "") ?? {};
}

function fromNode(model: ServiceModel, use: ShapeUse, node: Node, what: string): unknown {
  const shape = shapeOf(model, use.shape);
  switch (shape.type) {
    case "structure": {
      const entries: [string, unknown][] = [];
      for (const [name, member] of Object.entries(shape.members)) {
        const wire = wireName(model, name, member);
        const child = node.children.get(wire);
        if (!child) continue;
        const value = fromNode(model, member, child, what === "" ? wire : `${what}.${wire}`);
        if (value !== undefined) entries.push([name, value]);
      }
      return Object.fromEntries(entries);
    }
    case "list": {
      const flat = model.protocol === "ec2" || use.flattened === true || shape.flattened === true;
      const wrapped = flat ? node : node.children.get(shape.member.name ?? "member");
      return numbered(wrapped ?? node).map((item, i) => fromNode(model, shape.member, item, `${what}.${i + 1}`));
    }
    case "map": {
      const inner = use.flattened === true || shape.flattened === true ? node : (node.children.get("entry") ?? node);
      return Object.fromEntries(
        numbered(inner).map((entry, i) => {
          const key = entry.children.get(shape.key.name ?? "key")?.value;
          const value = entry.children.get(shape.value.name ?? "value");
          if (key === undefined || !value) throw new MalformedError(`${what}.${i + 1} needs a key and a value`);
          return [key, fromNode(model, shape.value, value, `${what}.${i + 1}`)];
        }),
      );
    }
    default: {
      if (!isScalar(shape) || node.value === undefined) return undefined;
      return scalarOf(shape, node.value, what);
    }
  }
}

/** Children named 1, 2, 3… in order. Gaps close up. */
function numbered({ children }: Node): readonly Node[] {
  return [...children]
    .flatMap(([name, child]): [number, Node][] => (/^\d{1,6}$/.test(name) ? [[Number(name), child]] : []))
    .sort(([a], [b]) => a - b)
    .map(([, child]) => child);
}
