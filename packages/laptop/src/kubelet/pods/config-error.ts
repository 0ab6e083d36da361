/** A container cannot be made of what its pod refers to. Trying again helps once that is there. */
export class ConfigError extends Error {
  /** As a waiting container shows it. */
  readonly code: "CreateContainerConfigError" | "FailedMount";

  constructor(code: ConfigError["code"], message: string) {
    super(message);
    this.name = "ConfigError";
    this.code = code;
  }
}
