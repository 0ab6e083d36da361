/** Randomness as a parameter. Everything random that users can see (uids, generated names) derives from `bytes`. */
export interface Random {
  bytes(count: number): Uint8Array;
}

/** A random (version 4) UUID. */
export function uuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A string of `length` characters drawn evenly from `alphabet` (at most 256 characters). */
export function randomString(random: Random, alphabet: string, length: number): string {
  const fair = 256 - (256 % alphabet.length);
  let out = "";
  while (out.length < length) {
    for (const byte of random.bytes(length - out.length)) {
      if (byte < fair) out += alphabet[byte % alphabet.length];
    }
  }
  return out;
}
