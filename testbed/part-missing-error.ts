/** A part cannot be had on this machine. The message says what is missing and what would help. */
export class PartMissingError extends Error {
  override readonly name = "PartMissingError";
}
