const HEAD = 5;

/** A message as calls carry it: not compressed, with its length. */
export function grpcMessage(text: string): Buffer {
  const message = Buffer.alloc(HEAD + Buffer.byteLength(text));
  message.writeUInt32BE(Buffer.byteLength(text), 1);
  message.write(text, HEAD);
  return message;
}

/** The messages in a stream of bytes. */
export function grpcTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at + HEAD <= bytes.length;) {
    const end = at + HEAD + bytes.readUInt32BE(at + 1);
    texts.push(bytes.toString("utf8", at + HEAD, end));
    at = end;
  }
  return texts;
}
