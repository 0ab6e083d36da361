import type { Json, JsonObject } from "@gatewright/kube";
import { isObject, setOwn } from "@gatewright/kube";

/** The value of an annotation as a field wants it. Throws {@link AnnotationError} when it is not one. */
export type Read = (text: string) => Json;

/** What an annotation should have been. */
export class AnnotationError extends Error {
  override readonly name = "AnnotationError";
}

export const asText: Read = (text) => text;

export const asFlag: Read = (text) => {
  if (text !== "true" && text !== "false") throw new AnnotationError('write "true" or "false"');
  return text === "true";
};

export const asNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER): Read =>
  (text) => {
    const value = /^[0-9]{1,15}$/u.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new AnnotationError(
        most === Number.MAX_SAFE_INTEGER
          ? `write a whole number of at least ${least}`
          : `write a whole number from ${least} to ${most}`,
      );
    return value;
  };

export const asOneOf =
  (...known: readonly (string | number)[]): Read =>
  (text) => {
    const found = known.find((each) => String(each) === text);
    if (found === undefined) throw new AnnotationError(`write one of ${known.join(", ")}`);
    return found;
  };

/** `30s`, `1h30m`, `250ms`. */
export const asDuration: Read = (text) => {
  if (!/^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$/u.test(text))
    throw new AnnotationError("write a duration such as 30s");
  return text;
};

/** Seconds without a unit, or a duration. */
export const asSeconds: Read = (text) => asDuration(/^[0-9]+$/u.test(text) ? `${text}s` : text);

/** `a, b`. */
export const asList: Read = (text) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** `8m`, `512k`, `1024`: nginx writes sizes so. */
export const asBytes: Read = (text) => {
  const read = /^([0-9]{1,12})([kKmMgG]?)$/u.exec(text);
  if (read === null) throw new AnnotationError("write a size such as 8m");
  const units = new Map([
    ["", 1],
    ["k", 1024],
    ["m", 1024 ** 2],
    ["g", 1024 ** 3],
  ]);
  return Number(read[1]) * (units.get((read[2] ?? "").toLowerCase()) ?? 1);
};

/** `Name: value, Other: value`. */
export const asFields: Read = (text) => {
  const fields: JsonObject = {};
  for (const each of text.split(",")) {
    const colon = each.indexOf(":");
    const name = each.slice(0, colon).trim();
    if (colon === -1 || !/^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/u.test(name))
      throw new AnnotationError("write Name: value, Other: value");
    setOwn(fields, name, each.slice(colon + 1).trim());
  }
  return fields;
};

/** Puts a value into an object at a path, making what is missing on the way. */
export function put(object: JsonObject, path: readonly string[], value: Json): void {
  const [first, ...rest] = path;
  if (first === undefined) return;
  if (rest.length === 0) {
    object[first] = value;
    return;
  }
  let inner = object[first];
  if (!isObject(inner)) {
    inner = {};
    object[first] = inner;
  }
  put(inner, rest, value);
}
