import type { Finding, Verdict } from "@gatewright/operator";

const COLORS: Readonly<Record<Verdict, string>> = { ok: "32", warn: "33", fail: "31" };

/** What a doctor found, a line each, with what to do below; and how many are how. */
export function findingsText(findings: readonly Finding[], color: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const paint = (verdict: Verdict): string => {
    const word = verdict.padEnd(4);
    return color ? `\u001B[${COLORS[verdict]}m${word}\u001B[0m` : word;
  };
  const lines = findings.flatMap(({ check, verdict, message, remedy }) => [
    `${paint(verdict)}  ${check.padEnd(width)}  ${message}`,
    ...(remedy === undefined ? [] : [`${" ".repeat(width + 8)}${remedy}`]),
  ]);
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  return `${lines.join("\n")}\n\n${count("ok")} ok, ${count("warn")} warnings, ${count("fail")} failures\n`;
}
