import { fn, method } from "../function.ts";
import type { Library } from "../function.ts";
import { CelError } from "../value.ts";
import type { CelOpaque } from "../value.ts";

const type = "kubernetes.Semver";

class Version implements CelOpaque {
  readonly kind = "opaque";
  readonly typeName = type;
  readonly core: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
  readonly #text: string;

  constructor(core: readonly [bigint, bigint, bigint], prerelease: readonly string[], text: string) {
    this.core = core;
    this.prerelease = prerelease;
    this.#text = text;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Version && compare(this, other) === 0;
  }

  toString(): string {
    return this.#text;
  }
}

function compare(a: Version, b: Version): number {
  for (const i of [0, 1, 2] as const) if (a.core[i] !== b.core[i]) return a.core[i] < b.core[i] ? -1 : 1;
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(Number(a.prerelease.length === 0) - Number(b.prerelease.length === 0));
  }
  for (let i = 0; i < Math.min(a.prerelease.length, b.prerelease.length); i++) {
    const order = compareIdentifiers(a.prerelease[i]!, b.prerelease[i]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length);
}

function compareIdentifiers(a: string, b: string): number {
  const [left, right] = [isNumeric(a), isNumeric(b)];
  if (left && right) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const isNumeric = (text: string): boolean => /^[0-9]+$/.test(text);
const maxUint64 = 2n ** 64n - 1n;

function parse(text: string): Version {
  if (text === "") throw new CelError("Version string empty");
  const parts = text.split(".");
  if (parts.length < 3) throw new CelError("No Major.Minor.Patch elements found");
  const [major, minor] = parts as [string, string];
  const rest = parts.slice(2).join(".");
  const [, patch = "", prerelease, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(rest) ?? [];
  const core = [number("major", major), number("minor", minor), number("patch", patch)] as const;
  const identifiers = prerelease === undefined ? [] : prerelease.split(".");
  for (const identifier of identifiers) checkIdentifier(identifier);
  for (const part of build === undefined ? [] : build.split(".")) {
    if (part === "") throw new CelError("Build meta data is empty");
    if (!/^[0-9A-Za-z-]+$/.test(part))
      throw new CelError(`Invalid character(s) found in build meta data ${JSON.stringify(part)}`);
  }
  return new Version(core, identifiers, text);
}

function number(part: string, text: string): bigint {
  if (!isNumeric(text)) {
    const name = part.charAt(0).toUpperCase() + part.slice(1);
    if (text === "") throw new CelError(`strconv.ParseUint: parsing "": invalid syntax`);
    throw new CelError(
      `Invalid character(s) found in ${name === "Patch" ? "patch" : part} number ${JSON.stringify(text)}`,
    );
  }
  if (text.length > 1 && text.startsWith("0")) {
    const name = part.charAt(0).toUpperCase() + part.slice(1);
    throw new CelError(`${name} number must not contain leading zeroes ${JSON.stringify(text)}`);
  }
  const value = BigInt(text);
  if (value > maxUint64) throw new CelError(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`);
  return value;
}

function checkIdentifier(text: string): void {
  if (text === "") throw new CelError("Prerelease is empty");
  if (isNumeric(text) && text.length > 1 && text.startsWith("0")) {
    throw new CelError(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(text)}`);
  }
  if (!/^[0-9A-Za-z-]+$/.test(text))
    throw new CelError(`Invalid character(s) found in prerelease ${JSON.stringify(text)}`);
}

/** Accepts what people write: a leading `v`, missing parts, leading zeros. */
function normalized(text: string): string {
  const parts = text.replace(/^v/, "").split(".");
  const three = [...parts.slice(0, 2), ...(parts.length > 2 ? [parts.slice(2).join(".")] : [])].map((part) =>
    part.length > 1 ? part.replace(/^0+/, "").replace(/^(?![0-9])/, "0") : part,
  );
  if (three.length < 3) {
    if (/[+-]/.test(three.at(-1)!)) throw new CelError("short version cannot contain PreRelease/Build meta data");
    while (three.length < 3) three.push("0");
  }
  return three.join(".");
}

function isVersion(text: string, normalize: boolean): boolean {
  try {
    parse(normalize ? normalized(text) : text);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
}

/** Semantic versions. */
export const semvers: Library = [
  [
    "semver",
    [
      fn("string_to_semver", `string -> ${type}`, (text: string) => parse(text)),
      fn("string_bool_to_semver", `string, bool -> ${type}`, (text: string, normalize: boolean) =>
        parse(normalize ? normalized(text) : text),
      ),
    ],
  ],
  [
    "isSemver",
    [
      fn("is_semver_string", "string -> bool", (text: string) => isVersion(text, false)),
      fn("is_semver_string_bool", "string, bool -> bool", isVersion),
    ],
  ],
  ["major", [method("semver_major", `${type} -> int`, (version: Version) => version.core[0])]],
  ["minor", [method("semver_minor", `${type} -> int`, (version: Version) => version.core[1])]],
  ["patch", [method("semver_patch", `${type} -> int`, (version: Version) => version.core[2])]],
  [
    "isGreaterThan",
    [method("semver_is_greater_than", `${type}, ${type} -> bool`, (a: Version, b: Version) => compare(a, b) > 0)],
  ],
  [
    "isLessThan",
    [method("semver_is_less_than", `${type}, ${type} -> bool`, (a: Version, b: Version) => compare(a, b) < 0)],
  ],
  [
    "compareTo",
    [method("semver_compare_to", `${type}, ${type} -> int`, (a: Version, b: Version) => BigInt(compare(a, b)))],
  ],
];
