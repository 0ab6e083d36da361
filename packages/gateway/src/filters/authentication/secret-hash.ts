/** How a secret is written down where it is compared. */
export type SecretHash =
  | { readonly kind: "sha256" | "sha512"; readonly digest: Buffer }
  | { readonly kind: "bcrypt"; readonly hash: string; readonly cost: number };

const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/u;
const PREFIXED = /^(sha256|sha512):([0-9a-fA-F]+)$/u;
const DIGITS = { sha256: 64, sha512: 128 } as const;

/**
 * Reads `$2b$…`, `sha256:` or `sha512:` and hexadecimal digits, or digits alone when `algorithm` says of what. Undefined: it is none of
 * these, or not of the algorithm that was said.
 */
export function secretHash(text: string, algorithm?: string): SecretHash | undefined {
  const cost = BCRYPT.exec(text)?.[1];
  if (cost !== undefined)
    return algorithm === undefined || algorithm === "bcrypt"
      ? { kind: "bcrypt", hash: text, cost: Number(cost) }
      : undefined;
  const [, prefix, digits = text] = PREFIXED.exec(text) ?? [];
  const kind = prefix ?? algorithm;
  if ((kind !== "sha256" && kind !== "sha512") || (algorithm !== undefined && kind !== algorithm)) return undefined;
  return /^[0-9a-fA-F]+$/u.test(digits) && digits.length === DIGITS[kind]
    ? { kind, digest: Buffer.from(digits, "hex") }
    : undefined;
}
