/** A definition that no API server would take, or that contradicts itself. Retrying is of no use: the definition must change. */
export class DefinitionError extends Error {
  override readonly name = "DefinitionError";
  readonly code = "InvalidDefinition";
  readonly retriable = false;
  /** What is defined: `websites.example.com`, or the builder that was called. */
  readonly subject: string;
  readonly problems: readonly string[];

  constructor(subject: string, problems: readonly string[]) {
    super(`${subject} cannot be defined like this:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.subject = subject;
    this.problems = problems;
  }
}
