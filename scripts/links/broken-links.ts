import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { anchorsOf, withoutCode } from "./anchors.ts";

/** A link that leads nowhere. */
export interface BrokenLink {
  readonly file: string;
  readonly line: number;
  readonly target: string;
  readonly why: string;
}

const LINK = /!?\[(?:[^[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\[[^\]]+\]:\s+(\S+)/gm;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** Relative links of pages that lead to no file, or to no heading in it. Links to elsewhere are not followed. */
export function brokenLinks(root: string, files: readonly string[]): readonly BrokenLink[] {
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsIn = (path: string): ReadonlySet<string> => {
    const known = anchors.get(path) ?? anchorsOf(readFileSync(path, "utf8"));
    anchors.set(path, known);
    return known;
  };
  return files.flatMap((file) => {
    const path = join(root, file);
    const text = blankCode(readFileSync(path, "utf8"));
    return Array.from(text.matchAll(LINK)).flatMap(({ 1: inline, 2: reference, index }): BrokenLink[] => {
      const target = inline ?? reference ?? "";
      if (ELSEWHERE.test(target)) return [];
      const why = problemOf(root, path, target, anchorsIn);
      const line = text.slice(0, index).split("\n").length;
      return why === undefined ? [] : [{ file, line, target, why }];
    });
  });
}

/** Without code, and with each line where it was. */
function blankCode(markdown: string): string {
  return withoutCode(markdown.replaceAll(/^( *)(`{3,}|~{3,})[^]*?^\1\2.*$/gm, (code) => code.replaceAll(/[^\n]/g, "")));
}

function problemOf(
  root: string,
  from: string,
  target: string,
  anchorsIn: (path: string) => ReadonlySet<string>,
): string | undefined {
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? from : join(dirname(from), decodeURIComponent(file));
  if (relative(root, path).startsWith("..")) return "is outside of the repository";
  if (!existsSync(path)) return "is not there";
  if (anchor === undefined || !path.endsWith(".md") || statSync(path).isDirectory()) return undefined;
  return anchorsIn(path).has(anchor) ? undefined : "has no such heading";
}
