/** A file of the store that cannot be used as it is. Nothing was changed; the message says what can be done. */
export class StoreFileError extends Error {
  readonly file: string;
  readonly offset: number | undefined;

  constructor(file: string, offset: number | undefined, what: string, advice: string) {
    super(`${file}${offset === undefined ? "" : ` at byte ${offset}`}: ${what}. ${advice}`);
    this.name = "StoreFileError";
    this.file = file;
    this.offset = offset;
  }
}

/** A file whose content is not what was written. */
export function damaged(file: string, offset: number, what: string): StoreFileError {
  const advice =
    "The data before and after it was left as it is. Restore the directory from a backup, " +
    "or move it away to start with an empty store";
  return new StoreFileError(file, offset, `damaged: ${what}`, advice);
}
