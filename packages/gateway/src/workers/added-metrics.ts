/** Series of one metric as a scrape has them, with the lines that tell about it. */
interface Family {
  readonly about: string[];
  readonly isGauge: boolean;
  readonly values: Map<string, number>;
}

/**
 * One scrape of several: values of the same series are added up. Of `past`, scrapes of those who are no more, only what never falls
 * counts. All have to be in the same format; metrics are told in the order in which they first appear.
 */
export function addedMetrics(scrapes: readonly string[], past: readonly string[] = []): string {
  const families = new Map<string, Family>();
  for (const scrape of scrapes) add(scrape, families, false);
  for (const scrape of past) add(scrape, families, true);
  const lines = [...families.values()].flatMap(({ about, values }) => [
    ...about,
    ...Array.from(values, ([series, value]) => `${series} ${textOf(value)}`),
  ]);
  if (scrapes.some((scrape) => scrape.endsWith("# EOF\n"))) lines.push("# EOF");
  return `${lines.join("\n")}\n`;
}

function add(scrape: string, families: Map<string, Family>, isPast: boolean): void {
  let current: Family | undefined;
  let help = "";
  for (const line of scrape.split("\n")) {
    if (line.startsWith("# HELP ")) help = line;
    else if (line.startsWith("# TYPE ")) {
      const [, , name = "", type] = line.split(" ");
      current = families.get(name);
      if (current !== undefined) continue;
      current = { about: [help, line], isGauge: type === "gauge", values: new Map() };
      families.set(name, current);
    } else if (line !== "" && !line.startsWith("#") && current !== undefined && !(isPast && current.isGauge)) {
      // Values of labels may hold blanks, numbers do not.
      const cut = line.lastIndexOf(" ");
      const series = line.slice(0, cut);
      current.values.set(
        series,
        (current.values.get(series) ?? 0) + Number(line.slice(cut + 1).replace("Inf", "Infinity")),
      );
    }
  }
}

function textOf(value: number): string {
  return String(value).replace("Infinity", "Inf");
}
