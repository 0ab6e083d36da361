import { randomString } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import type { GetRandomPasswordRequest } from "@gatewright/aws-wire/types/secretsmanager";
import { invalidParameter } from "./refusals.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const USUAL_LENGTH = 32;

/** A password as it is asked for: with one of each kind of character at least, unless that is not wanted. */
export function randomPassword(random: Random, wish: GetRandomPasswordRequest): string {
  const length = wish.PasswordLength ?? USUAL_LENGTH;
  const excluded = new Set(wish.ExcludeCharacters);
  const kinds = [
    wish.ExcludeLowercase === true ? "" : LOWER,
    wish.ExcludeUppercase === true ? "" : UPPER,
    wish.ExcludeNumbers === true ? "" : DIGITS,
    wish.ExcludePunctuation === true ? "" : PUNCTUATION,
    wish.IncludeSpace === true ? " " : "",
  ]
    .map((kind) => [...kind].filter((character) => !excluded.has(character)).join(""))
    .filter((kind) => kind !== "");
  if (kinds.length === 0) throw invalidParameter("The request excludes all characters.");
  const wanted = wish.RequireEachIncludedType === false ? [] : kinds;
  if (wanted.length > length)
    throw invalidParameter(`A password of ${length} characters cannot have one of each type.`);
  const one = wanted.map((kind) => randomString(random, kind, 1));
  return shuffled(random, [...one, ...randomString(random, kinds.join(""), length - wanted.length)]).join("");
}

function shuffled(random: Random, characters: readonly string[]): readonly string[] {
  const order = characters.map((character) => ({ character, at: Buffer.from(random.bytes(8)).toString("hex") }));
  return order.toSorted((one, other) => (one.at < other.at ? -1 : 1)).map(({ character }) => character);
}
