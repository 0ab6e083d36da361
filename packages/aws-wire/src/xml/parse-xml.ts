import { MalformedError } from "../malformed-error.ts";
import type { XmlElement } from "./xml-element.ts";

const MAX_DEPTH = 64;
const NAME = /[\w.:\-\u0080-\uffff]+/y;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

interface OpenElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/**
 * Reads a document of elements, attributes and text. Document types are refused, so there are no entities to expand and nothing
 * outside to load. Rejects with {@link MalformedError}.
 */
export function parseXml(source: string): XmlElement {
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let at = source.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < source.length) {
    const next = source.indexOf("<", at);
    const text = source.slice(at, next < 0 ? source.length : next);
    const parent = open.at(-1);
    if (parent) parent.text += unescape(text);
    else if (text.trim() !== "") throw new MalformedError("there is text outside of the root element");
    if (next < 0) break;
    if (source.startsWith("<!--", next)) {
      at = after(source, "-->", next + 4);
    } else if (source.startsWith("<![CDATA[", next)) {
      at = after(source, "]]>", next + 9);
      if (!parent) throw new MalformedError("there is text outside of the root element");
      parent.text += source.slice(next + 9, at - 3);
    } else if (source.startsWith("<?", next)) {
      at = after(source, "?>", next + 2);
    } else if (source.startsWith("<!", next)) {
      throw new MalformedError("document types are not taken");
    } else if (source.startsWith("</", next)) {
      at = after(source, ">", next);
      const closed = open.pop();
      if (!closed || localName(source.slice(next + 2, at - 1).trim()) !== closed.name) {
        throw new MalformedError("an element is closed that is not open");
      }
      root = close(closed, open, root);
    } else {
      if (!parent && root) throw new MalformedError("there is more than one root element");
      const { element, end, empty } = openTag(source, next + 1);
      if (open.length === MAX_DEPTH) throw new MalformedError(`elements are nested deeper than ${MAX_DEPTH}`);
      at = end;
      if (empty) root = close(element, open, root);
      else open.push(element);
    }
  }
  if (open.length > 0) throw new MalformedError("an element is not closed");
  if (!root) throw new MalformedError("there is no element");
  return root;
}

function close(
  element: OpenElement,
  open: readonly OpenElement[],
  root: XmlElement | undefined,
): XmlElement | undefined {
  const parent = open.at(-1);
  element.text = kept(element.text);
  if (!parent) return element;
  parent.children.push(element);
  return root;
}

/** V8 makes parts of this length and more views of the whole. */
const VIEWED = 13;

/** The same in memory of its own: one id that somebody keeps would keep the whole document alive with it, for as long. */
function kept(text: string): string {
  return text.length < VIEWED ? text : Buffer.from(text).toString();
}

function after(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  if (found < 0) throw new MalformedError(`${mark} is missing`);
  return found + mark.length;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function openTag(source: string, from: number): { element: OpenElement; end: number; empty: boolean } {
  let at = from;
  const name = readName();
  const attributes = new Map<string, string>();
  for (;;) {
    while (/\s/.test(source[at] ?? "")) at++;
    if (source[at] === ">") return { element: made(), end: at + 1, empty: false };
    if (source.startsWith("/>", at)) return { element: made(), end: at + 2, empty: true };
    const attribute = readName();
    while (/\s/.test(source[at] ?? "")) at++;
    if (source[at++] !== "=") throw new MalformedError("an attribute has no value");
    while (/\s/.test(source[at] ?? "")) at++;
    const mark = source[at];
    if (mark !== '"' && mark !== "'") throw new MalformedError("an attribute's value is not quoted");
    const end = after(source, mark, at + 1);
    attributes.set(attribute, unescape(source.slice(at + 1, end - 1)));
    at = end;
  }

  function readName(): string {
    NAME.lastIndex = at;
    const found = NAME.exec(source)?.[0];
    if (found === undefined) throw new MalformedError("a name was expected");
    at += found.length;
    return found;
  }
  function made(): OpenElement {
    return { name: localName(name), attributes, children: [], text: "" };
  }
}

function unescape(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&([^;&]{0,10});?/g, (whole, name: string) => {
    const code = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
    const known = code ? character(code[1], code[2]) : ENTITIES.get(name);
    if (known === undefined || !whole.endsWith(";")) throw new MalformedError("there is an entity that is not known");
    return known;
  });
}

function character(hex: string | undefined, decimal: string | undefined): string | undefined {
  const point = hex === undefined ? Number.parseInt(decimal ?? "", 10) : Number.parseInt(hex, 16);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}
