const MAX_TOTAL = 4096;
const CUT = 256;

/** Warnings that an answer carries, each once. */
export class Warnings {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text !== "") this.#texts.add(text);
  }

  /** Values of the `Warning` header. When there is too much to say, each warning is cut. */
  headerValues(): string[] {
    const texts = [...this.#texts];
    const total = texts.reduce((sum, text) => sum + text.length, 0);
    return texts.map((text) => {
      const shown = total > MAX_TOTAL ? text.slice(0, CUT) : text;
      return `299 - "${shown.replaceAll(/[\\"]/g, "\\$&").replaceAll(/[^\x20-\x7e\u0080-\uffff]/g, " ")}"`;
    });
  }
}
