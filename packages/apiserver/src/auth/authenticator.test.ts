import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../http/api-request.ts";
import { createAuthenticator, laptopAdmin } from "./authenticator.ts";
import type { AuthenticatorOptions } from "./authenticator.ts";
import { staticTokens } from "./tokens/static-tokens.ts";
import { anonymous } from "./user.ts";
import type { UserInfo } from "./user.ts";

const audiences = ["https://kubernetes"];
const known = [{ token: "secret", user: { username: "alice", uid: "2", groups: ["devs"] } }];
const remote: Connection = { remoteAddress: "10.0.0.7", secure: true };
const local: Connection = { remoteAddress: "127.0.0.1", secure: false };

function authenticate(
  connection: Connection,
  authorization?: string,
  options: Partial<AuthenticatorOptions> = {},
): UserInfo {
  const tokens = [staticTokens(known, audiences)];
  const authenticator = createAuthenticator({ tokens, audiences, anonymous: true, loopbackAdmin: false, ...options });
  return authenticator.authenticate({ headers: { authorization }, connection });
}

test("a known token is its user, who is also authenticated", () => {
  assert.deepEqual(authenticate(remote, "Bearer secret"), {
    username: "alice",
    uid: "2",
    groups: ["devs", "system:authenticated"],
  });
  assert.equal(authenticate(remote, "bearer secret").username, "alice");
});

test("a bad token is refused even where a caller without token is let in", () => {
  for (const options of [{}, { loopbackAdmin: true }]) {
    assert.throws(() => authenticate(local, "Bearer wrong", options), { code: 401, message: "Unauthorized" });
  }
});

test("a verified certificate tells user and groups", () => {
  const certificate = { commonName: "bob", organizations: ["ops"] };
  assert.deepEqual(authenticate({ ...remote, certificate }), {
    username: "bob",
    groups: ["ops", "system:authenticated"],
  });
});

test("without credentials one is anonymous, or refused where that is off", () => {
  assert.equal(authenticate(remote), anonymous);
  assert.equal(authenticate(remote, "Basic abc"), anonymous);
  assert.throws(() => authenticate(remote, undefined, { anonymous: false }), { code: 401 });
});

test("in laptop mode the machine's own callers over plain HTTP are its admin, and nobody else is", () => {
  const laptop = { loopbackAdmin: true };
  assert.equal(authenticate(local, undefined, laptop), laptopAdmin);
  assert.equal(authenticate({ remoteAddress: "::1", secure: false }, undefined, laptop), laptopAdmin);
  assert.equal(authenticate({ remoteAddress: "::ffff:127.0.0.1", secure: false }, undefined, laptop), laptopAdmin);
  assert.equal(authenticate({ remoteAddress: "192.168.1.5", secure: false }, undefined, laptop), anonymous);
  assert.equal(authenticate({ ...local, secure: true }, undefined, laptop), anonymous);
  assert.equal(authenticate(local, "Bearer secret", laptop).username, "alice");
});

test("a caller in the same process is who it says", () => {
  assert.equal(authenticate({ secure: false, trustedUser: known[0]!.user }), known[0]!.user);
});

test("a token is only good for those it is meant for", () => {
  const tokens = [staticTokens(known, audiences)];
  const authenticator = createAuthenticator({ tokens, audiences, anonymous: true, loopbackAdmin: false });
  assert.deepEqual(authenticator.reviewToken("secret", ["other"]), { type: "refused", why: "invalid bearer token" });
  assert.equal(authenticator.reviewToken("secret", []).type, "user");
});
