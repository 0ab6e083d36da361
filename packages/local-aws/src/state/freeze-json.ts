/**
 * Freezes a value with all that is in it. Throws for what JSON cannot carry, such as bytes, maps and dates: it would come back as
 * something else after a restart. Members that are undefined are as good as not there.
 */
export function freezeJson<T>(value: T): T {
  freeze(value, "the value");
  return value;
}

function freeze(value: unknown, where: string): void {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return;
    case "number":
      if (Number.isFinite(value)) return;
      break;
    case "object":
      if (value === null) return;
      if (Array.isArray(value) || isPlain(value)) {
        for (const [name, part] of Object.entries(value)) freeze(part, `${where}.${name}`);
        Object.freeze(value);
        return;
      }
      break;
    default:
  }
  throw new TypeError(`${where} cannot be kept: records hold JSON only (bytes as base64, times as numbers)`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
