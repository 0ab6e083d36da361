import { deepEqual } from "../json/equal.ts";
import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { FieldError } from "../field-error.ts";
import type { Correlation } from "./correlation.ts";
import { Findings } from "./findings.ts";
import { hasFormat } from "./formats.ts";
import { checkNumber, isInt64, isWhole } from "./number-rules.ts";
import { matchesPattern } from "./pattern.ts";
import type { SchemaNode } from "./schema-node.ts";
import { ValuePath } from "./value-path.ts";

export interface ValidateOptions {
  /** What the value replaces. Errors in parts that did not change are forgiven. */
  readonly correlation?: Correlation | undefined;
  /** The field that the value stands in, where it is not the root. */
  readonly prefix?: string;
}

/** Judges a value by its schema, CEL rules and list keys aside. Texts and reasons are kube-apiserver's. */
export function validateValue(value: Json, schema: SchemaNode, options: ValidateOptions = {}): FieldError[] {
  const found = new Findings(new ValuePath(), options.prefix ?? "");
  check(value, schema, found, options.correlation, true);
  return found.errors();
}

/** Checks one value and forgives what ratcheting forgives. */
function check(
  value: Json,
  node: SchemaNode,
  found: Findings,
  correlation: Correlation | undefined,
  root = false,
): void {
  const before = found.size;
  checkUnforgiving(value, node, found, correlation, root);
  if (found.size > before && correlation?.unchanged()) found.truncate(before);
}

/** An alternative of anyOf and the like is never forgiven as a whole; the fields below it may be. */
function checkUnforgiving(
  value: Json,
  node: SchemaNode,
  found: Findings,
  correlation: Correlation | undefined,
  root: boolean,
): void {
  checkType(value, node, found);
  if (value === null) {
    checkEnum(value, node, found);
    return;
  }
  checkComposition(value, node, found, correlation, root);
  if (typeof value === "string") checkString(value, node, found);
  else if (typeof value === "number") checkNumber(value, node, found);
  else if (Array.isArray(value)) checkItems(value, node, found, correlation);
  checkEnum(value, node, found);
  if (isObject(value)) checkFields(value, node, found, correlation, root);
  found.matches += 2;
}

function typeOf(value: Exclude<Json, null>): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "number" ? (isInt64(value) ? "integer" : "number") : typeof value;
}

function checkType(value: Json, node: SchemaNode, found: Findings): void {
  const format = node.checkedFormat;
  if (node.type === "" && !node.intOrString && format === "") return;
  const expected = node.intOrString ? "integer,string" : node.type;
  if (value === null) {
    if (expected !== "" && !node.nullable) found.wrongType(expected, "null");
    return;
  }
  const seen = typeOf(value);
  const numeric = node.intOrString || node.type === "integer" || node.type === "number";
  const fits =
    (node.intOrString ? seen === "integer" || seen === "string" : seen === node.type) ||
    (seen === "integer" && node.type === "number") ||
    (seen === "number" && (node.intOrString || node.type === "integer") && isWhole(value as number));
  const texty = seen === "string" || seen === "array";
  found.matches++;
  if (format !== "" && !texty && !fits) {
    found.wrongType(format, seen === "integer" ? "int64" : seen === "number" ? "float64" : "");
  } else if (!fits && (format === "" || !texty || numeric)) {
    found.wrongType(expected, seen);
  } else {
    found.matches++;
  }
}

/** Unicode characters in a text: what lengths count. */
function characters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const high = text.charCodeAt(i);
    if (high >= 0xd800 && high <= 0xdbff && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}

function checkString(value: string, node: SchemaNode, found: Findings): void {
  const { maxLength, minLength, pattern } = node;
  if (maxLength !== undefined && value.length > maxLength && characters(value) > maxLength) {
    found.tooLong(maxLength);
  } else if (minLength !== undefined && value.length < minLength * 2 && characters(value) < minLength) {
    found.breaks(value, `should be at least ${minLength} chars long`);
  } else if (pattern !== "" && !matchesPattern(pattern, value)) {
    found.breaks(value, `should match '${pattern}'`);
  }
  found.matches++;
  if (node.checkedFormat !== "" && (node.type === "" || node.type === "string")) {
    if (!hasFormat(node.checkedFormat, value)) found.wrongType(node.checkedFormat, value);
    found.matches++;
  }
}

function checkItems(
  value: readonly Json[],
  node: SchemaNode,
  found: Findings,
  correlation: Correlation | undefined,
): void {
  if (node.items) {
    for (let i = 0; i < value.length; i++) {
      found.path.push(i);
      check(value[i]!, node.items, found, correlation?.item(i));
      found.path.pop();
    }
  }
  const { minItems, maxItems } = node;
  if (minItems !== undefined && value.length < minItems)
    found.breaks(value.length, `should have at least ${minItems} items`);
  if (maxItems !== undefined && value.length > maxItems) found.tooMany(value.length, maxItems, "items");
  found.matches += 2;
}

function checkEnum(value: Json, node: SchemaNode, found: Findings): void {
  if (node.enum.length === 0) return;
  if (value === null || !node.enum.some((allowed) => deepEqual(allowed, value))) found.notInEnum(value, node.enum);
}

function checkFields(
  value: JsonObject,
  node: SchemaNode,
  found: Findings,
  correlation: Correlation | undefined,
  root: boolean,
): void {
  const { minProperties, maxProperties, properties, additional } = node;
  if (minProperties !== undefined || maxProperties !== undefined) {
    const count = Object.keys(value).length;
    if (minProperties !== undefined && count < minProperties) {
      found.breaks(count, `should have at least ${minProperties} properties`);
    }
    if (maxProperties !== undefined && count > maxProperties) found.tooMany(count, maxProperties, "properties");
  }
  if (additional !== undefined && additional !== true) {
    for (const key of Object.keys(value)) {
      if (properties?.has(key)) continue;
      if (additional === false) found.forbidden(key);
      else checkField(value, key, additional, found, correlation);
    }
  }
  if (properties) {
    for (const [key, property] of properties) {
      if (!Object.hasOwn(value, key)) continue;
      const invisible = root && (key === "apiVersion" || key === "kind");
      checkField(value, key, property, found, invisible ? undefined : correlation);
    }
  }
  for (const key of node.required) if (!Object.hasOwn(value, key)) found.missing(key);
  found.matches++;
}

function checkField(
  object: JsonObject,
  key: string,
  node: SchemaNode,
  found: Findings,
  correlation: Correlation | undefined,
): void {
  found.path.push(key);
  check(object[key]!, node, found, correlation?.field(key));
  found.path.pop();
}

/** The alternative that got furthest: its errors say best what is missing. */
function best(tried: readonly Findings[]): Findings {
  return tried.reduce((top, next) => (next.matches > top.matches ? next : top));
}

function checkComposition(
  value: Json,
  node: SchemaNode,
  found: Findings,
  correlation: Correlation | undefined,
  root: boolean,
): void {
  found.matches += 2;
  const { anyOf, oneOf, allOf, not } = node;
  const attempt = (alternative: SchemaNode): Findings => {
    const apart = found.fork();
    checkUnforgiving(value, alternative, apart, correlation, root);
    return apart;
  };
  const passed = (tried: Findings): boolean => tried.size === 0;

  if (anyOf.length > 0) {
    const tried = anyOf.map(attempt);
    const first = tried.find(passed);
    if (!first) found.general(`${quoted(found)} must validate at least one schema (anyOf)`);
    found.merge(first ?? best(tried));
  }
  if (oneOf.length > 0) {
    const tried = oneOf.map(attempt);
    const valid = tried.filter(passed);
    if (valid.length !== 1) {
      const how = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
      found.general(`${quoted(found)} must validate one and only one schema (oneOf). ${how}`);
    }
    if (valid.length < 2) found.merge(valid[0] ?? best(tried));
  }
  if (allOf.length > 0) {
    const tried = allOf.map(attempt);
    for (const part of tried) found.merge(part);
    if (!tried.every(passed)) {
      const none = tried.some(passed) ? "" : ". None validated";
      found.general(`${quoted(found)} must validate all the schemas (allOf)${none}`);
    }
  }
  if (not && passed(attempt(not))) found.general(`${quoted(found)} must not validate the schema (not)`);
}

const quoted = (found: Findings): string => JSON.stringify(found.path.toString());
