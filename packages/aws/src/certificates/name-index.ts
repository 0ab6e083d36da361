/** Which certificates have a name. */
export class NameIndex {
  readonly #byName = new Map<string, Set<string>>();
  readonly #byArn = new Map<string, readonly string[]>();

  get(name: string): readonly string[] {
    return [...(this.#byName.get(name) ?? [])];
  }

  /** The names of a certificate from now on; none: it is forgotten. */
  set(arn: string, names: readonly string[]): void {
    const before = this.#byArn.get(arn) ?? [];
    if (before.length === names.length && before.every((name, i) => name === names[i])) return;
    for (const name of before) this.#remove(name, arn);
    for (const name of names) this.#add(name, arn);
    if (names.length === 0) this.#byArn.delete(arn);
    else this.#byArn.set(arn, names);
  }

  clear(): void {
    this.#byName.clear();
    this.#byArn.clear();
  }

  #add(name: string, arn: string): void {
    const arns = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, arns.add(arn));
  }

  #remove(name: string, arn: string): void {
    const arns = this.#byName.get(name);
    arns?.delete(arn);
    if (arns?.size === 0) this.#byName.delete(name);
  }
}
