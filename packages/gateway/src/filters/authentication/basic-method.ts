import { hash as digestOf, timingSafeEqual } from "node:crypto";
import type { Identity } from "../../pipeline/call.ts";
import type { BasicSpec } from "./authentication-spec.ts";
import { keptBcryptLine } from "./bcrypt-line.ts";
import type { BcryptLine } from "./bcrypt-line.ts";
import { credentials } from "./method.ts";
import type { AuthenticationAround, Method, Outcome } from "./method.ts";
import { secretHash } from "./secret-hash.ts";
import type { SecretHash } from "./secret-hash.ts";

const FIELD = "spec.authentication.basic";
const MAX_CREDENTIALS = 4096;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/u;
const CONTROL = /[\u0000-\u001f\u007f]/u;

/**
 * Makes the method for `basic`. A user that there is not costs as much as a wrong password, so that names cannot be guessed. Requests
 * that pass go on without their password. `closed`: it cannot be made, which was noted.
 */
export function basicMethod(spec: BasicSpec, around: AuthenticationAround): Method | "closed" {
  const users = new Map<string, { readonly hash: SecretHash; readonly identity: Identity }>();
  const problem = (field: string, message: string): "closed" => {
    around.note({ severity: "error", field: `${FIELD}${field}`, message, closed: true });
    return "closed";
  };
  for (const [index, { username, passwordHash, roles }] of (spec.users ?? []).entries()) {
    const hash = secretHash(passwordHash);
    if (hash === undefined)
      return problem(`.users[${index}].passwordHash`, "is neither bcrypt nor sha256: and its digits");
    if (username === "" || username.includes(":") || CONTROL.test(username))
      return problem(`.users[${index}].username`, "cannot be sent: it is empty, or has a colon or a control character");
    users.set(username, { hash, identity: identityOf(username, roles ?? []) });
  }
  const [somebody] = users.values();
  if (somebody === undefined) return problem(".users", "names no user");
  const realm = (spec.realm || "gateway").replace(/[^\x20-\x7e]|["\\]/gu, "");
  const line = keptBcryptLine(around);
  const judge = async (username: string, password: string): Promise<Outcome> => {
    const known = users.get(username);
    const matches = await isPassword(password, (known ?? somebody).hash, line);
    if (matches === "busy") return "unavailable";
    return matches && known !== undefined ? known.identity : "refused";
  };
  return {
    challenge: () => `Basic realm="${realm}", charset="UTF-8"`,
    judge(call) {
      const given = credentials(call, "basic");
      if (typeof given === "string") return given;
      const pair = decodedPair(given.text);
      return pair === undefined ? "refused" : judge(pair.username, pair.password);
    },
    strip({ head }) {
      if (/^basic /iu.test(head.fields.get("authorization") ?? "")) head.fields.remove("authorization");
    },
  };
}

function decodedPair(text: string): { username: string; password: string } | undefined {
  if (text.length > MAX_CREDENTIALS || !BASE64.test(text)) return undefined;
  const pair = Buffer.from(text, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon <= 0 || CONTROL.test(pair)) return undefined;
  return { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function isPassword(password: string, hash: SecretHash, line: BcryptLine): boolean | Promise<boolean | "busy"> {
  if (hash.kind === "bcrypt") return line.matches(password, hash.hash);
  return timingSafeEqual(digestOf(hash.kind, password, "buffer"), hash.digest);
}

function identityOf(username: string, roles: readonly string[]): Identity {
  return { method: "basic", subject: username, roles, groups: [], scopes: [], permissions: [], claims: new Map() };
}
