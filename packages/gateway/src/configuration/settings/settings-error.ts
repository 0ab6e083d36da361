/** Settings that cannot be used. Trying again does not help: the file has to be changed as `problems` say. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly code = "settings_invalid";
  readonly retryable = false;
  readonly file: string;
  /** `spec.listeners[0].port: Required value`, one each. */
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(`${file} cannot be used: ${problems.join("; ")}`);
    this.file = file;
    this.problems = problems;
  }
}
