/** CRC-32C (Castagnoli) of parts that follow each other. */
export function crc32c(parts: readonly Uint8Array[]): Buffer {
  let sum = 0xffffffff;
  for (const part of parts) for (const byte of part) sum = (sum >>> 8) ^ (CRC32C[(sum ^ byte) & 0xff] ?? 0);
  const value = Buffer.alloc(4);
  value.writeUInt32BE(~sum >>> 0);
  return value;
}

/** CRC-64/NVME of parts that follow each other. In two halves: big integers would take many times as long. */
export function crc64nvme(parts: readonly Uint8Array[]): Buffer {
  let high = 0xffffffff;
  let low = 0xffffffff;
  for (const part of parts) {
    for (const byte of part) {
      const at = (low ^ byte) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (CRC64_LOW[at] ?? 0);
      high = (high >>> 8) ^ (CRC64_HIGH[at] ?? 0);
    }
  }
  const value = Buffer.alloc(8);
  value.writeUInt32BE(~high >>> 0, 0);
  value.writeUInt32BE(~low >>> 0, 4);
  return value;
}

/** What each value of a byte adds to a sum, for a polynomial with its bits reversed. */
function tableOf(polynomial: bigint): readonly bigint[] {
  return Array.from({ length: 256 }, (_, byte) => {
    let sum = BigInt(byte);
    for (let bit = 0; bit < 8; bit++) sum = sum & 1n ? (sum >> 1n) ^ polynomial : sum >> 1n;
    return sum;
  });
}

const CRC32C = Uint32Array.from(tableOf(0x82f63b78n), Number);
const CRC64 = tableOf(0x9a6c9329ac4bc9b5n);
const CRC64_HIGH = Uint32Array.from(CRC64, (sum) => Number(sum >> 32n));
const CRC64_LOW = Uint32Array.from(CRC64, (sum) => Number(sum & 0xffffffffn));
