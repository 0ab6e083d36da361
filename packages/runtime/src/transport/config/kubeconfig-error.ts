/** A configuration that leads to no API server. The message names the file, and what to do; it never holds a secret. */
export class KubeconfigError extends Error {
  /** The file at fault, where it is one. */
  readonly file: string | undefined;

  constructor(message: string, options: { readonly file?: string; readonly cause?: unknown } = {}) {
    super(options.file === undefined ? message : `${options.file}: ${message}`, { cause: options.cause });
    this.name = "KubeconfigError";
    this.file = options.file;
  }
}
