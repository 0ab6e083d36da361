/** Code is no text: its `#` begin no headings, and its brackets are no links. */
export function withoutCode(markdown: string): string {
  return markdown
    .replaceAll(/^( *)(`{3,}|~{3,})[^]*?^\1\2.*$/gm, "")
    .replaceAll(/(`+)[^`\n](?:[^\n]*?[^`\n])?\1(?!`)/g, (code) => code.replaceAll(/[[\]()<>#]/g, " "));
}

/** The places of a page that a link can lead to, by the names that GitHub gives to headings. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  const body = markdown.replaceAll(/^( *)(`{3,}|~{3,})[^]*?^\1\2.*$/gm, "");
  for (const [, title = ""] of body.matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)) {
    const slug = title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-");
    const seen = counts.get(slug) ?? 0;
    counts.set(slug, seen + 1);
    anchors.add(seen === 0 ? slug : `${slug}-${seen}`);
  }
  for (const [, id = ""] of body.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}
