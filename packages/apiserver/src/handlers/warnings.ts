const MAX_TOTAL = 4096;
const CUT = 256;

/** Warnings that an answer carries, each once. */
export class Warnings {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text !== "") this.#texts.add(text);
  }

  /** Values of the `Warning` header. When there is too much to say, each warning is cut, and the last ones are left out. */
  headerValues(): string[] {
    const texts = [...this.#texts];
    const total = texts.reduce((sum, text) => sum + text.length, 0);
    if (total <= MAX_TOTAL) return texts.map(headerValue);
    let left = MAX_TOTAL;
    const told: string[] = [];
    for (const text of texts) {
      const cut = text.slice(0, CUT);
      left -= cut.length;
      if (left < 0) break;
      told.push(headerValue(cut));
    }
    return told;
  }
}

function headerValue(text: string): string {
  return `299 - "${text.replaceAll(/[\\"]/g, "\\$&").replaceAll(/[^\x20-\x7e\u0080-\uffff]/g, " ")}"`;
}
