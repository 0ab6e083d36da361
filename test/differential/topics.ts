import { globSync } from "node:fs";
import { basename, join } from "node:path";
import type { Case, Topic } from "./case.ts";

/** A case with its full name and the namespace that it gets. */
export interface NamedCase {
  readonly name: string;
  readonly namespace: string;
  readonly testCase: Case;
}

export interface Topics {
  readonly cases: readonly NamedCase[];
  readonly crds: readonly object[];
}

/** All cases: every file in `cases` exports one `topic`, which is called as the file is. */
export async function loadTopics(filter = ""): Promise<Topics> {
  const folder = join(import.meta.dirname, "cases");
  const cases: NamedCase[] = [];
  const crds: object[] = [];
  for (const file of globSync("*.ts", { cwd: folder }).sort()) {
    const { topic } = (await import(join(folder, file))) as { readonly topic: Topic };
    const title = basename(file, ".ts").replaceAll("-", " ");
    const chosen = topic.cases
      .map((testCase, index) => ({
        name: `${title}: ${testCase.name}`,
        namespace: `${basename(file, ".ts")}-${index + 1}`,
        testCase,
      }))
      .filter(({ name }) => name.includes(filter));
    if (chosen.length === 0) continue;
    cases.push(...chosen);
    crds.push(...(topic.crds ?? []));
  }
  const names = new Set<string>();
  for (const { name } of cases) {
    if (names.has(name)) throw new Error(`two cases are called ${name}`);
    names.add(name);
  }
  return { cases, crds };
}
