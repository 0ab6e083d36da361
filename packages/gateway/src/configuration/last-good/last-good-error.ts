/** The last good objects cannot be used. They are kept aside for people; the gateway starts as if there were none. */
export class LastGoodError extends Error {
  override readonly name = "LastGoodError";
  readonly code = "last_good_corrupt";
  readonly retryable = false;
  readonly file: string;
  /** Where the file is now. */
  readonly keptAs: string;

  constructor(file: string, keptAs: string, problem: string) {
    super(
      `${file} cannot be used: ${problem}. It is kept as ${keptAs}; the gateway waits for its objects from elsewhere`,
    );
    this.file = file;
    this.keptAs = keptAs;
  }
}
