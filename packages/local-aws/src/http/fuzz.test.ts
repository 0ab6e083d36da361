import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICE_NAMES, loadModel, signRequest } from "@gatewright/aws-wire";
import type { ServiceModel, ServiceName, WireRequest } from "@gatewright/aws-wire";
import { ManualClock, seededRandom } from "@gatewright/ports";
import fc from "fast-check";
import { service } from "../service.ts";
import { createLocalAws } from "./local-aws.ts";

const signal = new AbortController().signal;

/** Bodies that are nearly right: the beginnings and ends that parsers trip over. */
const scrap = fc.constantFrom(
  ...'{ } [ ] " : , null 1e999 true <a> </a> <a/> <!DOCTYPE <![CDATA[ ]]> &amp; &#0; &x; Action= Version= & = . .1 .member.1 % %zz %00 \u0000 é \ud800'.split(
    " ",
  ),
  "__proto__",
  "constructor",
  "Changes",
  "Tags",
  "\r\n",
);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.array(scrap, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(""))),
);
const text = fc.string({ unit: "binary-ascii", maxLength: 20 });
const path = fc.array(fc.oneof(scrap, text, fc.constantFrom("/", "?", "2013-04-01", "hostedzone", "tagging")), {
  maxLength: 8,
});

function requestTo(
  models: ReadonlyMap<ServiceName, ServiceModel>,
): fc.Arbitrary<WireRequest & { readonly name: ServiceName }> {
  return fc.constantFrom(...SERVICE_NAMES).chain((name) => {
    const model = models.get(name)!;
    const operation = fc.oneof(fc.constantFrom(...Object.keys(model.operations)), scrap);
    return fc
      .record({
        method: fc.constantFrom("GET", "PUT", "POST", "DELETE", "HEAD", "PATCH"),
        path,
        body,
        operation,
        named: fc.boolean(),
      })
      .map((each) => ({
        name,
        method: each.method,
        path: `/${each.path.join("")}`,
        headers: {
          host: "localhost",
          ...(model.protocol === "json" && { "x-amz-target": `${model.targetPrefix}.${each.operation}` }),
        },
        body:
          each.named && /query|ec2/.test(model.protocol)
            ? Buffer.concat([Buffer.from(`Action=${each.operation}&`), each.body])
            : each.body,
      }));
  });
}

test("whatever is sent, signed or not, is answered with an error of AWS and never breaks the front", async () => {
  const models = new Map(await Promise.all(SERVICE_NAMES.map(async (name) => [name, await loadModel(name)] as const)));
  const faults: unknown[] = [];
  const clock = new ManualClock();
  const aws = await createLocalAws({
    world: { clock, random: seededRandom() },
    services: SERVICE_NAMES.map((name) =>
      service<Record<string, { readonly input: object; readonly output: object }>>(
        name,
        Object.fromEntries(Object.keys(models.get(name)!.operations).map((operation) => [operation, () => ({})])),
      ),
    ),
    limits: "off",
    onFault: (error) => void faults.push(error),
  });
  const property = fc.asyncProperty(requestTo(models), fc.boolean(), async ({ name, ...request }, signed) => {
    const service = models.get(name)!.signingName;
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const headers = signed
      ? signRequest({ ...request, credentials, region: "eu-west-1", service, now: clock.now() })
      : request.headers;
    const { status } = await aws.handle({ ...request, headers }, signal);
    // S3's word for what is not served.
    assert.ok(status < 500 || status === 501, `${status}`);
    if (signed) return;
    assert.ok(status >= 400 || name === "sts", `${status} without a signature`);
  });
  await fc.assert(property, { numRuns: 3000, seed: 11 });
  assert.deepEqual(faults, []);
});

test("whatever an Authorization header says, it is answered with an error of AWS", async () => {
  const faults: unknown[] = [];
  const aws = await createLocalAws({
    world: { clock: new ManualClock(), random: seededRandom() },
    services: [service<object>("sts", {}), service<object>("s3", {})],
    onFault: (error) => void faults.push(error),
  });
  const piece = fc.constantFrom(
    ..."AWS4-HMAC-SHA256 Credential= test / 20300101 us-east-1 sts s3 aws4_request SignedHeaders= host ; constructor Signature= 00 , = toString".split(
      " ",
    ),
    " ",
  );
  const property = fc.asyncProperty(fc.array(piece, { maxLength: 25 }), fc.array(piece), async (parts, date) => {
    const headers = {
      host: "localhost",
      authorization: parts.join(""),
      "x-amz-date": date.join("") || "20300101T000000Z",
    };
    const { status } = await aws.handle({ method: "GET", path: "/", headers, body: Buffer.alloc(0) }, signal);
    assert.ok(status >= 400 && status < 500, `${status}`);
  });
  await fc.assert(property, { numRuns: 2000, seed: 3 });
  assert.deepEqual(faults, []);
});
