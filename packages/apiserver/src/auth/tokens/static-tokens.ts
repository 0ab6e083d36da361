import { hash, timingSafeEqual } from "node:crypto";
import type { TokenAuthenticator } from "../authenticator.ts";
import type { UserInfo } from "../user.ts";

export interface StaticToken {
  readonly token: string;
  readonly user: UserInfo;
}

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

/**
 * Tokens that are known beforehand, meant for `own` audiences (this server). All are compared each time, in constant time,
 * so that nothing is learnt by timing.
 */
export function staticTokens(tokens: readonly StaticToken[], own: readonly string[]): TokenAuthenticator {
  const known = tokens.map(({ token, user }) => ({ digest: digest(token), user }));
  return {
    authenticate(token, wanted) {
      const audiences = wanted.filter((audience) => own.includes(audience));
      if (audiences.length === 0) return { type: "unknown" };
      const given = digest(token);
      let user: UserInfo | undefined;
      for (const entry of known) if (timingSafeEqual(entry.digest, given)) user ??= entry.user;
      return user ? { type: "user", user, audiences } : { type: "unknown" };
    },
  };
}

/**
 * Reads a token file: lines of `token,user,uid,"group1,group2"`, the groups optional. Throws an Error that names the line
 * (never the token).
 */
export function parseTokenFile(text: string): StaticToken[] {
  const tokens: StaticToken[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [token = "", username = "", uid = "", groups = ""] = splitFields(line);
    if (token === "" || username === "") {
      throw new Error(`line ${index + 1} of the token file: expected token,user,uid,"group1,group2"`);
    }
    const names = groups.split(",").map((group) => group.trim());
    tokens.push({ token, user: { username, ...(uid !== "" && { uid }), groups: names.filter((name) => name !== "") } });
  }
  return tokens;
}

function splitFields(line: string): string[] {
  const fields: string[] = [];
  for (const match of line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2]?.trim() ?? "");
  }
  return fields;
}
