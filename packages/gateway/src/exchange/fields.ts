/**
 * Header fields in their order. Names are lower-case, values without surrounding blanks; both were validated by whoever made the
 * list (a codec, or the schema of a route): nothing in it can end a line. A name may come several times.
 */
export class Fields {
  /** Name and value by turns. For codecs, which write thousands of these a second; everybody else uses the methods. */
  readonly flat: string[];

  constructor(flat: string[] = []) {
    this.flat = flat;
  }

  /** The first value of a field. */
  get(name: string): string | undefined {
    const { flat } = this;
    for (let at = 0; at < flat.length; at += 2) if (flat[at] === name) return flat[at + 1];
    return undefined;
  }

  /** All values of a field. */
  all(name: string): string[] {
    const values: string[] = [];
    const { flat } = this;
    for (let at = 0; at < flat.length; at += 2) if (flat[at] === name) values.push(flat[at + 1] ?? "");
    return values;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Makes this the only value of the field, in the place of its first. */
  set(name: string, value: string): void {
    const { flat } = this;
    for (let at = 0; at < flat.length; at += 2) {
      if (flat[at] !== name) continue;
      flat[at + 1] = value;
      this.#removeFrom(at + 2, name);
      return;
    }
    flat.push(name, value);
  }

  add(name: string, value: string): void {
    this.flat.push(name, value);
  }

  remove(name: string): void {
    this.#removeFrom(0, name);
  }

  copy(): Fields {
    return new Fields([...this.flat]);
  }

  *[Symbol.iterator](): Iterator<readonly [name: string, value: string]> {
    const { flat } = this;
    for (let at = 0; at < flat.length; at += 2) yield [flat[at] ?? "", flat[at + 1] ?? ""];
  }

  #removeFrom(start: number, name: string): void {
    const { flat } = this;
    let to = start;
    for (let at = start; at < flat.length; at += 2) {
      if (flat[at] === name) continue;
      if (to !== at) {
        flat[to] = flat[at] ?? "";
        flat[to + 1] = flat[at + 1] ?? "";
      }
      to += 2;
    }
    // Even the same length costs a call out of compiled code.
    if (to !== flat.length) flat.length = to;
  }
}
