/** Cuts a stream of bytes into messages that have their length, two bytes, before them. Holds at most one message. */
export function frames(): (chunk: Uint8Array) => Uint8Array[] {
  let rest: Uint8Array = new Uint8Array();
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages: Uint8Array[] = [];
    let at = 0;
    while (at + 2 <= bytes.length) {
      const end = at + 2 + bytes[at]! * 256 + bytes[at + 1]!;
      if (end > bytes.length) break;
      messages.push(bytes.subarray(at + 2, end));
      at = end;
    }
    rest = bytes.slice(at);
    return messages;
  };
}
