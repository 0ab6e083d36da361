// Written by terminals' colours: they take no room.
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[0-9;]*m/g;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F-\u009F]+/g;

/** Rows as aligned lines, two spaces between columns. The last column has any width. */
export function columns(rows: readonly (readonly string[])[], indent = ""): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) => {
    const cells = row.map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - widthOf(cell)));
    return `${indent}${cells.join("  ")}`.trimEnd();
  });
}

function widthOf(text: string): number {
  return [...text.replaceAll(COLOUR, "")].length;
}

/** What others wrote, on one line and without codes that a terminal would obey. */
export function clean(text: string): string {
  return text.replaceAll(COLOUR, "").replaceAll(CONTROL, " ");
}
