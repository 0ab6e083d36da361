import { createHash, createHmac } from "node:crypto";

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The secret of the table's tokens. */
export const SECRET = "a secret of the routing table, long enough";
/** Far enough away, and long ago. */
const NEVER = Date.UTC(2100, 0, 1) / 1000;
export const LONG_AGO = Date.UTC(2001, 0, 1) / 1000;

/** A token that is signed with the secret, by HS256. */
export function token(claims: Readonly<Record<string, unknown>>, secret = SECRET): string {
  const signed = `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded({ exp: NEVER, ...claims })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

/** A token that says it needs no signature. */
export function unsignedToken(claims: Readonly<Record<string, unknown>>): string {
  return `${encoded({ alg: "none", typ: "JWT" })}.${encoded({ exp: NEVER, ...claims })}.`;
}

export function bearer(claims: Readonly<Record<string, unknown>>, secret = SECRET): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token(claims, secret)}` };
}

export function basicHeader(user: string, password: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The user ada, whose password is `pw`. */
export const BASIC = {
  enabled: true,
  users: [{ username: "ada", passwordHash: `sha256:${sha256("pw")}`, roles: ["admin"] }],
};
