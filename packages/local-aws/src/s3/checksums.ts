import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { AwsError } from "../aws-error.ts";
import { crc32c, crc64nvme } from "./crc.ts";
import type { Checksum } from "./records.ts";
import { invalidRequest } from "./refusals.ts";

/** Members of requests and answers that carry a checksum. */
const MEMBERS = [
  "ChecksumCRC32",
  "ChecksumCRC32C",
  "ChecksumCRC64NVME",
  "ChecksumSHA1",
  "ChecksumSHA256",
  "ChecksumSHA512",
  "ChecksumMD5",
  "ChecksumXXHASH64",
  "ChecksumXXHASH3",
  "ChecksumXXHASH128",
] as const;

const FULL_OBJECT_BY_DEFAULT = ["ChecksumCRC64NVME"];

type Member = (typeof MEMBERS)[number];

/** A request that may tell a checksum. */
export type ChecksumRequest = { readonly [Name in Member]?: string | undefined } & {
  readonly ContentMD5?: string | undefined;
};

/** The checksum that a request tells, checked when it is of a kind that is computed here: all but the XXHASHes are. */
export function checkedChecksum(request: ChecksumRequest, body: Uint8Array): Checksum | undefined {
  checkMd5(request.ContentMD5, body);
  const told = toldChecksum(request);
  if (told === undefined) return undefined;
  const computed = digest(told.member, [body]);
  if (computed !== undefined && computed !== told.value) {
    throw new AwsError(
      "BadDigest",
      `The ${algorithmOf(told.member)} you specified did not match the calculated checksum.`,
    );
  }
  return told;
}

/** The checksum that a request tells, unchecked. */
export function toldChecksum(request: ChecksumRequest): Checksum | undefined {
  const told = MEMBERS.flatMap((member) => {
    const value = request[member];
    return value === undefined ? [] : [{ member, value, type: "FULL_OBJECT" as const }];
  });
  if (told.length > 1)
    throw invalidRequest("Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.");
  return told[0];
}

/** The checksum of bytes that came without one; undefined when it cannot be computed here. */
export function computedChecksum(member: string, body: Uint8Array): Checksum | undefined {
  const value = digest(member, [body]);
  return value === undefined ? undefined : { member, value, type: "FULL_OBJECT" };
}

/** The checksum of the parts' checksums; undefined when a part has none, or it cannot be computed here. */
export function compositeChecksum(member: string, parts: readonly (Checksum | undefined)[]): Checksum | undefined {
  const values = parts.flatMap((part) => (part?.member === member ? [Buffer.from(part.value, "base64")] : []));
  const value = values.length === parts.length ? digest(member, values) : undefined;
  return value === undefined ? undefined : { member, value: `${value}-${parts.length}`, type: "COMPOSITE" };
}

/** How an answer tells a checksum. */
export function checksumMembers(checksum: Checksum | undefined): { readonly ChecksumType?: string } {
  return checksum === undefined ? {} : { [checksum.member]: checksum.value, ChecksumType: checksum.type };
}

/** The member for an algorithm such as `CRC32`. */
export function memberOf(algorithm: string): string {
  const member = `Checksum${algorithm}`;
  if (!(MEMBERS as readonly string[]).includes(member)) {
    throw invalidRequest(
      "Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]",
    );
  }
  return member;
}

export function algorithmOf(member: string): string {
  return member.slice("Checksum".length);
}

/** The type of checksum that an upload in parts ends with, when nobody says. */
export function defaultType(member: string): Checksum["type"] {
  return FULL_OBJECT_BY_DEFAULT.includes(member) ? "FULL_OBJECT" : "COMPOSITE";
}

export function md5(...bytes: readonly Uint8Array[]): Buffer {
  return hash("md5", bytes);
}

function checkMd5(told: string | undefined, body: Uint8Array): void {
  if (told === undefined) return;
  if (Buffer.from(told, "base64").length !== 16) {
    throw new AwsError("InvalidDigest", "The Content-MD5 you specified was invalid.", {
      details: { "Content-MD5": told },
    });
  }
  const computed = md5(body).toString("base64");
  if (computed !== told) {
    throw new AwsError("BadDigest", "The Content-MD5 you specified did not match what we received.", {
      details: { ExpectedDigest: told, CalculatedDigest: computed },
    });
  }
}

function digest(member: string, bytes: readonly Uint8Array[]): string | undefined {
  switch (member) {
    case "ChecksumCRC32": {
      const value = Buffer.alloc(4);
      value.writeUInt32BE(bytes.reduce((sum, part) => crc32(part, sum), 0));
      return value.toString("base64");
    }
    case "ChecksumCRC32C":
      return crc32c(bytes).toString("base64");
    case "ChecksumCRC64NVME":
      return crc64nvme(bytes).toString("base64");
    case "ChecksumSHA1":
    case "ChecksumSHA256":
    case "ChecksumSHA512":
    case "ChecksumMD5":
      return hash(algorithmOf(member).toLowerCase(), bytes).toString("base64");
    default:
      return undefined;
  }
}

function hash(name: string, bytes: readonly Uint8Array[]): Buffer {
  const hasher = createHash(name);
  for (const part of bytes) hasher.update(part);
  return hasher.digest();
}
