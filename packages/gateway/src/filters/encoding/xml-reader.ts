import { BodySyntaxError, getOwn, setOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

const MAX_DEPTH = 100;
const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** An element while it is read. */
interface Open {
  readonly name: string;
  readonly fields: JsonObject;
  text: string;
}

/**
 * Reads XML as a value: elements become fields, several of one name a list, attributes fields with `@`, text beside them `#text`, an
 * element with text only a string. The outermost element stands for the whole and its name is lost. A document type is refused, so
 * that there is nothing to expand: only the five entities that XML has, and characters by number. Throws BodySyntaxError.
 */
export function readXml(text: string): Json {
  const open: Open[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let result: Json | undefined;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const end = next === -1 ? text.length : next;
    addText(open, text.slice(at, end));
    if (next === -1) break;
    if (text.startsWith("<?", next)) at = after(text, "?>", next);
    else if (text.startsWith("<!--", next)) at = after(text, "-->", next);
    else if (text.startsWith("<![CDATA[", next)) {
      at = after(text, "]]>", next);
      const inner = open.at(-1);
      if (inner === undefined) throw wrong("text outside of elements");
      inner.text += text.slice(next + 9, at - 3);
    } else if (text.startsWith("<!", next)) throw wrong("a document type, which is not allowed");
    else if (text.startsWith("</", next)) {
      at = after(text, ">", next);
      const element = open.pop();
      if (element === undefined || text.slice(next + 2, at - 1).trimEnd() !== element.name)
        throw wrong("an end without a start");
      result = close(element, open.at(-1)) ?? result;
    } else {
      if (result !== undefined) throw wrong("more than one outermost element");
      const started = start(text, next + 1);
      if (open.length === MAX_DEPTH) throw wrong("elements that nest too deeply");
      at = started.end;
      if (started.isEmpty) result = close(started.element, open.at(-1)) ?? result;
      else open.push(started.element);
    }
  }
  if (open.length > 0 || result === undefined) throw wrong("an element that does not end");
  return result;
}

/** Puts an element that ended into the one around it, or gives it when it was the outermost. */
function close(element: Open, around: Open | undefined): Json | undefined {
  const { fields } = element;
  const hasFields = Object.keys(fields).length > 0;
  const text = hasFields ? element.text.trim() : element.text;
  if (hasFields && text !== "") setOwn(fields, "#text", text);
  const value: Json = hasFields ? fields : text;
  if (around === undefined) return value;
  const before = getOwn(around.fields, element.name);
  if (before === undefined) setOwn(around.fields, element.name, value);
  else if (Array.isArray(before)) before.push(value);
  else setOwn(around.fields, element.name, [before, value]);
  return undefined;
}

function start(
  text: string,
  from: number,
): { readonly element: Open; readonly isEmpty: boolean; readonly end: number } {
  const name = nameAt(text, from);
  const fields: JsonObject = {};
  let at = from + name.length;
  for (;;) {
    const blank = /\s*/y;
    blank.lastIndex = at;
    const spaced = blank.exec(text)?.[0].length ?? 0;
    at += spaced;
    if (text.startsWith("/>", at)) return { element: { name, fields, text: "" }, isEmpty: true, end: at + 2 };
    if (text[at] === ">") return { element: { name, fields, text: "" }, isEmpty: false, end: at + 1 };
    if (spaced === 0) throw wrong("an element that is not written correctly");
    const attribute = nameAt(text, at);
    const value = /\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
    value.lastIndex = at + attribute.length;
    const found = value.exec(text);
    if (found === null || Object.hasOwn(fields, `@${attribute}`))
      throw wrong("an attribute that is not written correctly");
    setOwn(fields, `@${attribute}`, decoded(found[1] ?? found[2] ?? ""));
    at = value.lastIndex;
  }
}

function addText(open: readonly Open[], text: string): void {
  const inner = open.at(-1);
  if (inner !== undefined) inner.text += decoded(text);
  else if (text.trim() !== "") throw wrong("text outside of elements");
}

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&([^;&]{0,12})(;?)/g, (_whole, name: string, end: string) => {
    const known = end === "" ? undefined : (ENTITIES.get(name) ?? byNumber(name));
    if (known === undefined) throw wrong("an entity that is not known");
    return known;
  });
}

function byNumber(name: string): string | undefined {
  const found = /^#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}))$/.exec(name);
  if (found === null) return undefined;
  const code = found[1] === undefined ? Number(found[2]) : Number.parseInt(found[1], 16);
  const isCharacter = code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0x10ffff);
  return isCharacter && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined;
}

function nameAt(text: string, at: number): string {
  NAME.lastIndex = at;
  const found = NAME.exec(text);
  if (found === null) throw wrong("a name that is none");
  return found[0];
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  if (at === -1) throw wrong("something that does not end");
  return at + what.length;
}

function wrong(what: string): BodySyntaxError {
  return new BodySyntaxError(`the XML has ${what}`);
}
