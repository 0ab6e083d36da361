import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ACMClient, ImportCertificateCommand } from "@aws-sdk/client-acm";
import { ChangeResourceRecordSetsCommand, Route53Client } from "@aws-sdk/client-route-53";
import { createAuthority } from "@gatewright/certificates";
import { clientReader, findLocalWorld, kindsNamed, systemProbes, why, whyRefused } from "@gatewright/explain";
import type { Answer, Probes, Reader, Refusal } from "@gatewright/explain";
import { StatusError } from "@gatewright/kube";
import type { Resource } from "@gatewright/kube";
import { admissionregistration, apps, core } from "@gatewright/kube/api";
import { AWS_LIMITS, LAPTOP_KEY } from "@gatewright/local-aws";
import { systemClock, systemRandom } from "@gatewright/ports";
import {
  APIRoute,
  Application,
  AWSProvider,
  DomainClaim,
  GatewayHostnameRequest,
  HTTPRoute,
  SQSQueue,
} from "@gatewright/resources";
import { laptopWorld, NAMESPACE, until } from "../laptop/laptop-world.ts";
import type { LaptopWorld } from "../laptop/laptop-world.ts";

const ZONE = "A1231313";
const at = (name: string) => ({ namespace: NAMESPACE, name });
/** Nobody gets to talk to SQS. */
const LIMITS = {
  ...AWS_LIMITS,
  sqs: { regional: true, buckets: [{ name: "all", capacity: 1, refill: 0.000_01, operations: "all" }] },
} as const;

suite("why names the true cause in a world that is broken in ten ways", () => {
  let world: LaptopWorld;
  let reader: Reader;
  let probes: Probes;
  before(async () => {
    world = await laptopWorld({ zones: new Map([[ZONE, "opendi.com"]]), gateway: true, limits: LIMITS });
    reader = clientReader(world.client);
    const transport = world.laptop.server.transport();
    const local = await findLocalWorld(reader);
    assert.ok(local !== undefined, "the world says how it is looked at");
    probes = systemProbes({ clock: systemClock, local, transport });
    await apply(core.Namespace, "", { metadata: { name: "rival" } });
    // These take their time, so they begin first.
    await apply(AWSProvider, "aws", { spec: { region: "us-east-1" } });
    await apply(SQSQueue, "orders", { spec: { providerRef: { name: "aws" }, queueName: "orders" } });
    await apply(Application, "live", exposed("live.opendi.com"));
    await beginToExpire();
  });
  after(() => world[Symbol.asyncDispose]());

  async function apply(resource: Resource, name: string, body: object): Promise<void> {
    const client = world.client.for(resource);
    await client.apply({ ...(name !== "" && { metadata: at(name) }), ...body } as never);
  }

  const exposed = (hostname: string, spec: object = {}) => ({
    spec: {
      image: "gatewright/echo:v1",
      replicas: 1,
      ports: [{ name: "http", port: 80, targetPort: 8080 }],
      expose: { hostname, zoneId: ZONE },
      ...spec,
    },
  });

  const ask = (what: string, namespace = NAMESPACE): Promise<Answer> => {
    const [kind = "", name = ""] = what.split("/");
    const { resource } = kindsNamed(kind)[0]!;
    return why(reader, { resource, ref: { namespace, name } }, { now: systemClock.now(), probes });
  };
  const causeOf = ({ links, cause, state }: Answer): string =>
    cause === undefined ? state : `${state}: ${links[cause]!.reason} at ${links[cause]!.title}`;

  /** Asks until the cause is this one; tells the last answer otherwise. */
  async function untilCause(what: string, expected: string | RegExp, namespace?: string): Promise<Answer> {
    let last: Answer | undefined;
    await until(what, async () => {
      last = await ask(what, namespace);
      return typeof expected === "string" ? causeOf(last) === expected : expected.test(causeOf(last));
    }).catch(() => assert.fail(`${what}: ${JSON.stringify(last, undefined, 1)} ${world.faults.join()}`));
    assert.ok(last!.state === "ok" || last!.next.length > 0);
    return last!;
  }

  async function refusal(resource: Resource, object: object): Promise<Refusal | undefined> {
    try {
      await world.client.for(resource).apply(object as never, { dryRun: true });
      return undefined;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  const aws = () => ({
    endpoint: world.laptop.cloud.url,
    region: "us-east-1",
    credentials: { accessKeyId: LAPTOP_KEY.accessKeyId, secretAccessKey: LAPTOP_KEY.secretAccessKey },
  });

  test("all is well at first", async () => {
    const answer = await untilCause("application/live", "ok");
    assert.equal(answer.url, "https://live.opendi.com/");
    assert.deepEqual(
      answer.links.slice(-4).map(({ title }) => title),
      ["DNS", "Connection", "TLS", "Answer"],
    );
  });

  test("missing zone", async () => {
    await apply(GatewayHostnameRequest, "nozone", { spec: { zoneId: "Z999", hostname: "nozone.opendi.com" } });
    await untilCause("ghr/nozone", "broken: ZoneNotFound at Claim");
  });

  test("claimed name", async () => {
    const thief = { namespace: "rival", name: "thief" };
    const spec = { zoneId: ZONE, hostname: "live.opendi.com" };
    await world.client.for(GatewayHostnameRequest).apply({ metadata: thief, spec });
    const answer = await untilCause("ghr/thief", "broken: ClaimedByAnother at DomainClaim live.opendi.com", "rival");
    assert.match(answer.headline, /held by GatewayHostnameRequest shop\/live/);
  });

  test("no pods: the image is not there, and a Deployment asks for none", async () => {
    await apply(Application, "noimage", exposed("noimage.opendi.com", { image: "gatewright/nothere:v1" }));
    await untilCause("application/noimage", /^broken: ImagePullBackOff at Pod noimage-/);
    const labels = { app: "none" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "gatewright/echo:v1" }] } };
    await apply(apps.Deployment, "none", { spec: { replicas: 0, selector: { matchLabels: labels }, template } });
    await apply(core.Service, "none", { spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] } });
    await apply(APIRoute, "none", routeTo("none", 80, "/none"));
    await untilCause("apiroute/none", "broken: ScaledToZero at Deployment none");
  });

  const routeTo = (host: string, port: number, prefix: string) => ({
    spec: { match: [{ uri: { prefix } }], route: [{ destination: { host, port } }] },
  });

  test("wrong port: the container listens at another, or the Service has no such port", async () => {
    const env = [{ name: "PORT", value: "9090" }];
    await apply(Application, "wrongport", exposed("wrongport.opendi.com", { env }));
    await untilCause("application/wrongport", "broken: WrongPort at Service wrongport");
    await apply(APIRoute, "wrongport", routeTo("live", 81, "/wrongport"));
    await untilCause("apiroute/wrongport", "broken: PortNotFound at Service live");
  });

  test("denied policy: a route of a name that is another namespace's", async () => {
    const route = {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "HTTPRoute",
      metadata: { namespace: "rival", name: "steal" },
      spec: {
        parentRefs: [{ name: "gw-01", namespace: "edge" }],
        hostnames: ["live.opendi.com"],
        rules: [{ backendRefs: [{ name: "live", port: 80 }] }],
      },
    };
    const now = systemClock.now();
    const answer = await whyRefused(reader, HTTPRoute, route, await refusal(HTTPRoute, route), { now });
    assert.equal(causeOf(answer), "broken: NotGranted at Grant");
    assert.match(answer.headline, /live\.opendi\.com belongs to namespace shop/);
    assert.ok(answer.links.some(({ reason }) => reason === "DeniedByPolicy"));
    await untilCause("httproute/steal", "broken: NotFound at HTTPRoute steal", "rival");
  });

  test("invalid route: refused before it is stored, or in conflict with an older one", async () => {
    const bad = {
      apiVersion: "avapigw.io/v1alpha1",
      kind: "APIRoute",
      metadata: at("bad"),
      ...routeTo("live", 80, "/x"),
    };
    const route = { ...bad, spec: { ...bad.spec, timeout: "soon" } };
    const now = systemClock.now();
    const answer = await whyRefused(reader, APIRoute, route, await refusal(APIRoute, route), { now });
    assert.match(causeOf(answer), /^broken: (?:Invalid|DeniedByWebhook) at/);
    assert.match(answer.headline, /timeout/);

    await apply(APIRoute, "older", routeTo("live", 80, "/twin"));
    await world.client.for(admissionregistration.ValidatingWebhookConfiguration).delete({ name: "gatewright-routing" });
    await apply(APIRoute, "younger", routeTo("live", 80, "/twin"));
    const conflict = await untilCause("apiroute/younger", "broken: Conflict at Accepted");
    assert.match(conflict.headline, /shop\/older/);
  });

  test("bad CNAME: the record that proves the name is gone", async () => {
    const { status } = await world.client.for(DomainClaim).get({ name: "live.opendi.com" });
    const record = status?.records?.find(({ purpose }) => purpose === "validation");
    assert.ok(record !== undefined);
    const set = {
      Name: record.name,
      Type: "CNAME",
      TTL: record.ttl,
      ResourceRecords: record.values?.map((Value) => ({ Value })),
    } as const;
    const client = new Route53Client(aws());
    const Changes = [{ Action: "DELETE", ResourceRecordSet: set } as const];
    await client.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: ZONE, ChangeBatch: { Changes } }));
    const answer = await untilCause("ghr/live", "warning: ValidationRecordMissing at Validation record");
    assert.match(answer.headline, /is live, but at risk/);
  });

  test("gateway down: no route is served", async () => {
    await apply(APIRoute, "served", routeTo("live", 80, "/served"));
    await untilCause("apiroute/served", "ok");
    await world.laptop.gateway?.close();
    await untilCause("apiroute/served", "broken: NothingConnected at Gateways");
  });

  test("throttled AWS: a queue waits until AWS takes calls again", async () => {
    const answer = await untilCause("sqsqueue/orders", "waiting: Throttled at SQSQueue orders");
    assert.match(answer.headline, /sqs \w+: \w*Thrott\w*/i);
  });

  test("expired certificate: it is served though it has ended", async () => {
    const answer = await untilCause("ghr/short", "broken: CertificateExpired at TLS");
    assert.match(answer.headline, /CERT_HAS_EXPIRED/);
  });

  /** A hostname with a certificate of one's own, which ends soon after it has become live. */
  async function beginToExpire(): Promise<void> {
    const now = Math.floor(systemClock.now() / 1000) * 1000;
    const validity = { notBefore: now - 60_000, notAfter: now + 3_600_000 };
    const authority = createAuthority({ subject: { commonName: "short" }, ...validity }, systemRandom);
    const names = { hosts: ["short.opendi.com"] };
    const leaf = await authority.issue({ names, usedBy: ["server"], ...validity, notAfter: now + 15_000 });
    const { CertificateArn: arn } = await new ACMClient(aws()).send(
      new ImportCertificateCommand({
        Certificate: Buffer.from(leaf.certificate),
        PrivateKey: Buffer.from(leaf.key),
        CertificateChain: Buffer.from(authority.certificate),
      }),
    );
    await apply(GatewayHostnameRequest, "short", {
      spec: { zoneId: ZONE, hostname: "short.opendi.com", certificate: { arn } },
    });
  }
});
