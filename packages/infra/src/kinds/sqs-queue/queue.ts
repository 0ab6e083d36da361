/** What is read of a queue. */
export interface Queue {
  readonly name: string;
  readonly url: string;
  /** As SQS tells them: all of them texts. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}

/** An attribute of a queue; undefined when it is not set. */
export function attributeOf({ attributes }: Queue, name: string): string | undefined {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return value === "" ? undefined : value;
}

/** A count among the attributes. */
export function countOf(queue: Queue, name: string): number | undefined {
  const text = attributeOf(queue, name);
  return text === undefined ? undefined : Number(text);
}

export function isFifo(name: string): boolean {
  return name.endsWith(".fifo");
}
