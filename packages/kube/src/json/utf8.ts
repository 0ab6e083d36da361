const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Text of UTF-8 bytes. Each byte that is not part of a valid sequence becomes one U+FFFD, as in Go; the platform's decoder
 * would make one of several.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeBroken(bytes);
  }
}

function decodeBroken(bytes: Uint8Array): string {
  let text = "";
  let valid = 0;
  for (let at = 0; at < bytes.length;) {
    const size = sequenceLength(bytes, at);
    if (size > 0) {
      at += size;
      continue;
    }
    text += `${lenient.decode(bytes.subarray(valid, at))}\ufffd`;
    valid = ++at;
  }
  return text + lenient.decode(bytes.subarray(valid));
}

/** Length of the valid sequence that starts here, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const size = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (size === 0 || second < low || second > high) return 0;
  for (let i = 2; i < size; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return size;
}
