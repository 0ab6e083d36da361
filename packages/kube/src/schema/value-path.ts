/**
 * Where a walker stands, kept as it goes and put into words only when something must be told: `spec.items[0].name`.
 */
export class ValuePath {
  readonly #segments: (string | number)[] = [];

  push(segment: string | number): void {
    this.#segments.push(segment);
  }

  pop(): void {
    this.#segments.pop();
  }

  child(segment: string | number): string {
    this.#segments.push(segment);
    const text = this.toString();
    this.#segments.pop();
    return text;
  }

  toString(): string {
    let text = "";
    for (const segment of this.#segments) {
      if (typeof segment === "number") text += `[${segment}]`;
      else text += text === "" ? segment : `.${segment}`;
    }
    return text;
  }
}
