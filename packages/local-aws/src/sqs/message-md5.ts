import { createHash, hash } from "node:crypto";
import type { MessageAttribute } from "./records.ts";

/** The MD5 of a body, by which clients check that it arrived whole. */
export function bodyMd5(body: string): string {
  return hash("md5", body, "hex");
}

/** The MD5 of attributes: in the order of names, each part with its length before it. Undefined when there are none. */
export function attributesMd5(attributes: readonly MessageAttribute[]): string | undefined {
  if (attributes.length === 0) return undefined;
  const digest = createHash("md5");
  const add = (bytes: Buffer): void => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    digest.update(length).update(bytes);
  };
  for (const { name, type, value } of attributes.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const binary = isBinary(type);
    add(Buffer.from(name));
    add(Buffer.from(type));
    digest.update(Buffer.from([binary ? 2 : 1]));
    add(Buffer.from(value, binary ? "base64" : "utf8"));
  }
  return digest.digest("hex");
}

/** Whether values of a type are bytes; types may have a label after a dot. */
export function isBinary(type: string): boolean {
  return type === "Binary" || type.startsWith("Binary.");
}
