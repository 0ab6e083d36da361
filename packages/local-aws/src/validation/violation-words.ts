import type { Violation } from "./violation.ts";

/** All violations in one sentence, as most services word them. */
export function violationsText(violations: readonly Violation[]): string {
  const plural = violations.length === 1 ? "error" : "errors";
  return `${violations.length} validation ${plural} detected: ${violations.map(violationText).join("; ")}`;
}

/** Members whose values are never told again. */
const SENSITIVE: ReadonlySet<string | number | undefined> = new Set(["SecretString", "SecretBinary"]);

function violationText(violation: Violation): string {
  const told = violation.value === undefined ? " null" : ` '${valueText(violation.value)}'`;
  const shown = SENSITIVE.has(violation.path.at(-1)) ? "" : told;
  return `Value${shown} at '${pathText(violation.path)}' failed to satisfy constraint: ${constraintText(violation)}`;
}

function constraintText({ rule }: Violation): string {
  switch (rule.kind) {
    case "required":
      return "Member must not be null";
    case "enum":
      return `Member must satisfy enum value set: [${rule.values.join(", ")}]`;
    case "length":
      return rule.min === undefined
        ? `Member must have length less than or equal to ${rule.max}`
        : `Member must have length greater than or equal to ${rule.min}`;
    case "value":
      return rule.min === undefined
        ? `Member must have value less than or equal to ${rule.max}`
        : `Member must have value greater than or equal to ${rule.min}`;
  }
}

/** `changeBatch.changes.1.member.action`. */
export function pathText(path: Violation["path"]): string {
  return path
    .map((step) => (typeof step === "number" ? `${step}.member` : step.charAt(0).toLowerCase() + step.slice(1)))
    .join(".");
}

function valueText(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > 256 ? `${text.slice(0, 256)}...` : text;
}
