/** Words that YAML would read as something else than text. */
const SPECIAL = /^(?:~|null|true|false|yes|no|on|off|y|n|\.nan|[-+]?\.inf|<<|=)$/i;
/** Numbers and dates in any of the forms of YAML 1.1, for readers of both versions. */
const NUMERIC = /^[-+.]?[0-9][0-9a-fxo_.:eE+-]*(?:[tT ].*)?$/;
/** Text that stands for itself: it begins with no sign of YAML's, and holds none in its middle. */
const PLAIN = /^[A-Za-z0-9_/($][^\n\r\t]*$/;

/**
 * A JSON value as YAML, in the form that kubectl prints: two spaces, lists at the level of their key, long texts as blocks. What it
 * gives is read back by any YAML reader as the same value.
 */
export function toYaml(value: unknown): string {
  return `${lines(value, 0).join("\n")}\n`;
}

function lines(value: unknown, depth: number): string[] {
  const pad = "  ".repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${pad}[]`];
    return value.flatMap((item) => {
      if (isEmpty(item) || !isNested(item)) return scalarLines(`${pad}- `, item, depth + 1);
      const [first = "", ...rest] = lines(item, depth + 1);
      return [`${pad}- ${first.slice((depth + 1) * 2)}`, ...rest];
    });
  }
  if (isNested(value)) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    if (entries.length === 0) return [`${pad}{}`];
    return entries.flatMap(([key, inner]) => {
      const head = `${pad}${scalarText(key)}:`;
      if (isEmpty(inner) || !isNested(inner)) return scalarLines(`${head} `, inner, depth + 1);
      return [head, ...lines(inner, Array.isArray(inner) ? depth : depth + 1)];
    });
  }
  return scalarLines(pad, value, depth);
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isEmpty(value: unknown): boolean {
  return isNested(value) && Object.keys(value).length === 0;
}

function scalarLines(head: string, value: unknown, depth: number): string[] {
  if (isNested(value)) return [`${head}${Array.isArray(value) ? "[]" : "{}"}`];
  if (typeof value !== "string" || !isBlock(value)) return [`${head}${scalarText(value)}`];
  const pad = "  ".repeat(depth);
  const body = value.replace(/\n$/, "").split("\n");
  return [`${head}|${value.endsWith("\n") ? "" : "-"}`, ...body.map((line) => (line === "" ? "" : `${pad}${line}`))];
}

/** Texts of several lines that a block can hold: none begins or ends in a way that blocks would change. */
function isBlock(text: string): boolean {
  return (
    text.includes("\n") &&
    !/^[\s]|[^\S\n](?:\n|$)|\n\n$|[\r\t\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(text)
  );
}

function scalarText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "null";
  const isPlain =
    PLAIN.test(value) &&
    !SPECIAL.test(value) &&
    !NUMERIC.test(value) &&
    !/: |\s#|:$|\s$/.test(value) &&
    !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]/.test(value);
  return isPlain
    ? value
    : JSON.stringify(value)
        .replaceAll("\u007f", "\\u007f")
        .replaceAll(/[\u0080-\u009f\u2028\u2029\ufeff]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
