import type { Json } from "@gatewright/kube";
import { formatJson, isRecord } from "../transform/json-text.ts";

const NAME = /^[A-Za-z_][\w.-]*$/;
const ROOT = "root";
const ITEM = "item";

/**
 * Writes a value as XML: fields become elements, lists one element an item, fields with `@` attributes, `#text` the text beside them.
 * What cannot be the name of an element is written `<item name="…">`. The outermost element is `root`, and the items of an outermost
 * list are `item`.
 */
export function writeXml(value: Json): string {
  const body = Array.isArray(value)
    ? `<${ROOT}>${value.map((item) => element(ITEM, item)).join("")}</${ROOT}>`
    : element(ROOT, value);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

function element(name: string, value: Json): string {
  if (Array.isArray(value))
    return value.map((item) => element(name, Array.isArray(item) ? { [ITEM]: item } : item)).join("");
  const named = NAME.test(name) ? name : ITEM;
  let attributes = named === name ? "" : ` name="${escaped(name)}"`;
  if (value === null) return `<${named}${attributes}/>`;
  if (!isRecord(value)) return `<${named}${attributes}>${escaped(scalar(value))}</${named}>`;
  let inside = "";
  for (const [key, field] of Object.entries(value)) {
    const isScalar = field === null || (!Array.isArray(field) && !isRecord(field));
    if (key === "#text" && isScalar) inside += escaped(scalar(field));
    else if (key.startsWith("@") && isScalar && NAME.test(key.slice(1)))
      attributes += ` ${key.slice(1)}="${escaped(scalar(field))}"`;
    else inside += element(key, field);
  }
  return `<${named}${attributes}>${inside}</${named}>`;
}

function scalar(value: Json): string {
  return typeof value === "string" ? value : value === null ? "" : formatJson(value);
}

/** Text as it may stand anywhere. Characters that XML cannot have become U+FFFD. */
function escaped(text: string): string {
  return text
    .replace(
      /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      "\ufffd",
    )
    .replace(/[&<>"'\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}
