/** A place in a history: all changes up to and including `position` were told. */
export interface EventId {
  /** Names the history: places in another one mean nothing here. */
  readonly epoch: string;
  readonly position: number;
  /** Given while the present state was still being sent: whoever stops there has not seen all of it. */
  readonly partial: boolean;
}

const ID = /^([0-9a-f]{1,32})\.([0-9]{1,15})(\.part)?$/;

export function formatEventId({ epoch, position, partial }: EventId): string {
  return `${epoch}.${position}${partial ? ".part" : ""}`;
}

/** The id that a client brings back; undefined when it is none of ours. */
export function parseEventId(text: string): EventId | undefined {
  const [, epoch, position, part] = ID.exec(text) ?? [];
  if (epoch === undefined || position === undefined) return undefined;
  return { epoch, position: Number(position), partial: part !== undefined };
}
