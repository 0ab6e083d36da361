interface Reason {
  readonly reason: string;
  readonly on?: readonly string[];
  readonly means: string;
  readonly remedy: string;
}

/** A page with a table of reasons that need a person, and one of those that do not. */
export function reasonsPage(head: readonly string[], reasons: Readonly<Record<string, Reason>>): string {
  const all = Object.values(reasons).toSorted((a, b) => (a.reason < b.reason ? -1 : 1));
  const columns = [
    "Reason",
    ...(all.some(({ on }) => on !== undefined) ? ["Conditions"] : []),
    "What it means",
    "What to do",
  ];
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const table = (rows: readonly Reason[]): readonly string[] => [
    row(columns),
    row(columns.map(() => "---")),
    ...rows.map(({ reason, on, means, remedy }) =>
      row([
        `\`${reason}\``,
        ...(on === undefined ? [] : [on.join(", ")]),
        means,
        remedy === "" ? "Nothing: it goes on by itself." : remedy,
      ]),
    ),
  ];
  const lines = [
    ...head,
    "",
    "## Somebody may have to do something",
    "",
    ...table(all.filter(({ remedy }) => remedy !== "")),
    "",
    "## On its way, or done",
    "",
    ...table(all.filter(({ remedy }) => remedy === "")),
  ];
  return `${lines.join("\n")}\n`;
}
