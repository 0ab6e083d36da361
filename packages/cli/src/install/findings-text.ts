import type { Finding, Verdict } from "@gatewright/operator";
import type { Paint } from "../screen/paint.ts";

const STYLES = { ok: "green", warn: "yellow", fail: "red" } as const satisfies Readonly<Record<Verdict, string>>;

/** What a doctor found, a line each, with what to do below; and how many are how. */
export function findingsText(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, verdict, message, remedy }) => [
    `${paint(STYLES[verdict], verdict.padEnd(4))}  ${check.padEnd(width)}  ${message}`,
    ...(remedy === undefined ? [] : [`${" ".repeat(width + 8)}${remedy}`]),
  ]);
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  return `${lines.join("\n")}\n\n${count("ok")} ok, ${count("warn")} warnings, ${count("fail")} failures\n`;
}
