import type { Rule } from "@gatewright/kube/define";

/** Of an object whose `type` says which of its fields is set: each of these fields is there for its type, and only for it. */
export function fieldsByType(fields: Readonly<Record<string, string>>): Rule[] {
  return Object.entries(fields).map(([type, field]) => ({
    rule: `has(self.${field}) == (self.type == '${type}')`,
    message: `${field} is set for type ${type}, and only for it`,
  }));
}

/** CEL: `a` and `b` both lack the field, or have it alike. (Optionals would be shorter, but servers take them for costly.) */
export function alike(field: string): string {
  return `(has(a.${field}) ? has(b.${field}) && a.${field} == b.${field} : !has(b.${field}))`;
}
