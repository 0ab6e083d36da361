import assert from "node:assert/strict";
import { test } from "node:test";
import { codecOf, loadModel } from "@gatewright/aws-wire";
import type { WireRequest, WireResponse } from "@gatewright/aws-wire";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { CredentialsError } from "./credentials-error.ts";
import { environmentCredentials } from "./environment-credentials.ts";

const { signal } = new AbortController();
const ROLE = "arn:aws:iam::123456789012:role/operator";

interface Sent {
  readonly url: URL;
  readonly request: WireRequest;
}

function bench(
  environment: Readonly<Record<string, string>>,
  answer: (sent: Sent) => WireResponse | Promise<WireResponse> = () => assert.fail("nothing is to be sent"),
  files: Map<string, string> = new Map(),
) {
  const sent: Sent[] = [];
  const clock = new ManualClock();
  const source = environmentCredentials({
    environment,
    region: "eu-west-1",
    clock,
    random: seededRandom(1),
    readFile: async (path) => files.get(path) ?? Promise.reject(Object.assign(new Error("no"), { code: "ENOENT" })),
    send: async (url, request) => {
      sent.push({ url, request });
      return answer({ url, request });
    },
  });
  return { source, sent, clock, files };
}

const json = (body: object, status = 200): WireResponse => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});
const AGENT_KEYS = { AccessKeyId: "ASIA1", SecretAccessKey: "agent-secret", Token: "agent-token" };
const POD = {
  AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://169.254.170.23/v1/credentials",
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "/var/run/pod/token",
};

test("an environment that names nothing gives nothing", () => {
  assert.equal(bench({ AWS_ACCESS_KEY_ID: "", AWS_REGION: "eu-west-1" }).source, undefined);
});

test("keys come first, as they are", async () => {
  const { source } = bench({
    AWS_ACCESS_KEY_ID: "AKIA1",
    AWS_SECRET_ACCESS_KEY: "secret ",
    AWS_ROLE_ARN: ROLE,
    ...POD,
  });
  assert.deepEqual(await source?.(signal), { accessKeyId: "AKIA1", secretAccessKey: "secret" });
  const session = bench({ AWS_ACCESS_KEY_ID: "A", AWS_SECRET_ACCESS_KEY: "s", AWS_SESSION_TOKEN: "t" });
  assert.deepEqual(await session.source?.(signal), { accessKeyId: "A", secretAccessKey: "s", sessionToken: "t" });
});

for (const [has, lacks] of [
  ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
  ["AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID"],
  ["AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN"],
] as const) {
  test(`${has} without ${lacks} is a mistake that is named, without the value`, () => {
    assert.throws(
      () => bench({ [has]: "value-of-it" }),
      (error: unknown) =>
        error instanceof CredentialsError && error.message.includes(lacks) && !error.message.includes("value-of-it"),
    );
  });
}

test("a service account token becomes a role's keys by a call that is not signed; the file is read for each", async () => {
  const model = await loadModel("sts");
  const { source, sent, clock, files } = bench(
    { AWS_WEB_IDENTITY_TOKEN_FILE: "/token", AWS_ROLE_ARN: ROLE, AWS_ROLE_SESSION_NAME: "pod-1" },
    ({ request }) => {
      const { input } = codecOf(model).decodeRequest(model, request) ?? { input: {} };
      const { WebIdentityToken } = input as { WebIdentityToken: string };
      const Credentials = {
        AccessKeyId: `for-${WebIdentityToken}`,
        SecretAccessKey: "secret",
        SessionToken: "token",
        Expiration: clock.now() + 3_600_000,
      };
      return codecOf(model).encodeResponse(model, "AssumeRoleWithWebIdentity", { Credentials }, "r");
    },
    new Map([["/token", "one\n"]]),
  );
  assert.equal((await source?.(signal))?.accessKeyId, "for-one");
  assert.equal(sent[0]?.url.host, "sts.eu-west-1.amazonaws.com");
  assert.equal(sent[0]?.request.headers["authorization"], undefined);
  assert.match(Buffer.from(sent[0]?.request.body ?? []).toString(), /RoleSessionName=pod-1/);
  files.set("/token", "two");
  clock.advance(3_600_000);
  assert.equal((await source?.(signal))?.accessKeyId, "for-two");
});

test("a token file that is missing, empty or no token is named, and what is in it is not told", async () => {
  for (const [text, problem] of [
    [undefined, /cannot be read: ENOENT/],
    [" \n", /is empty/],
    ["se\ncret", /holds no token/],
  ] as const) {
    const { source } = bench(
      { AWS_WEB_IDENTITY_TOKEN_FILE: "/token", AWS_ROLE_ARN: ROLE },
      undefined,
      new Map(text === undefined ? [] : [["/token", text]]),
    );
    await assert.rejects(source!(signal), (error: unknown) => {
      assert.ok(error instanceof CredentialsError);
      assert.match(error.message, problem);
      assert.doesNotMatch(error.message, /se\s*cret/);
      return error.code === "TokenUnusable" && error.passing;
    });
  }
});

test("a refusal that repeats the token is told without it", async () => {
  const model = await loadModel("sts");
  const { source } = bench(
    { AWS_WEB_IDENTITY_TOKEN_FILE: "/token", AWS_ROLE_ARN: ROLE },
    () =>
      codecOf(model).encodeError(
        model,
        { code: "InvalidIdentityToken", status: 400, message: "bad token eyJhbGciOi.payload.sig", sender: true },
        "r",
      ),
    new Map([["/token", "eyJhbGciOi.payload.sig"]]),
  );
  await assert.rejects(source!(signal), (error: unknown) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /InvalidIdentityToken: bad token …/);
    return !JSON.stringify(error).includes("payload");
  });
});

test("the agent of the node is shown the pod's token, read anew for each fetch", async () => {
  const { source, sent, clock, files } = bench(
    POD,
    () => json({ ...AGENT_KEYS, Expiration: new Date(clock.now() + 3_600_000).toISOString() }),
    new Map([["/var/run/pod/token", "pod-1"]]),
  );
  assert.deepEqual(await source?.(signal), {
    accessKeyId: "ASIA1",
    secretAccessKey: "agent-secret",
    sessionToken: "agent-token",
  });
  assert.deepEqual([sent[0]?.request.path, sent[0]?.request.headers["authorization"]], ["/v1/credentials", "pod-1"]);
  files.set("/var/run/pod/token", "pod-2");
  clock.advance(3_600_000);
  await source?.(signal);
  assert.equal(sent[1]?.request.headers["authorization"], "pod-2");
});

test("a path alone is one of the agent of ECS, and of nobody else", async () => {
  const expires = { Expiration: "2999-01-01T00:00:00Z" };
  const path = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/credentials/1", AWS_CONTAINER_AUTHORIZATION_TOKEN: "t" };
  const { source, sent } = bench(path, () => json({ ...AGENT_KEYS, ...expires }));
  await source?.(signal);
  assert.equal(sent[0]?.url.href, "http://169.254.170.2/v2/credentials/1");
  assert.equal(sent[0]?.request.headers["authorization"], "t");
  assert.throws(() => bench({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "@thief.example/x" }), CredentialsError);
});

for (const [url, allowed] of [
  ["https://anywhere.example/creds", true],
  ["http://169.254.170.2/creds", true],
  ["http://169.254.170.23/creds", true],
  ["http://[fd00:ec2::23]/creds", true],
  ["http://127.0.0.1:9911/creds", true],
  ["http://[::1]/creds", true],
  ["http://localhost/creds", true],
  ["http://169.254.169.254/latest", false],
  ["http://thief.example/creds", false],
  ["http://10.0.0.1/creds", false],
  ["http://127.0.0.1.thief.example/creds", false],
  ["ftp://127.0.0.1/creds", false],
] as const) {
  test(`${url} is ${allowed ? "" : "not "}asked for keys`, () => {
    const made = (): unknown => bench({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url }).source;
    if (allowed) assert.ok(made());
    else assert.throws(made, { code: "HostNotAllowed" });
  });
}

test("what the agent says when it refuses is not repeated", async () => {
  const { source } = bench(
    POD,
    () => json({ message: "pod-1 is wrong" }, 403),
    new Map([["/var/run/pod/token", "pod-1"]]),
  );
  await assert.rejects(source!(signal), (error: unknown) => {
    assert.ok(error instanceof CredentialsError);
    return error.code === "Refused" && !error.passing && error.message === "169.254.170.23 refused with status 403";
  });
  const broken = bench(POD, () => json({ AccessKeyId: "x" }), new Map([["/var/run/pod/token", "pod-1"]]));
  await assert.rejects(broken.source!(signal), { code: "MalformedAnswer" });
});
