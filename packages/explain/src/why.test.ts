import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Answer } from "./answer.ts";
import { kindsNamed } from "./kinds.ts";
import type { PodPort, Probes, Trial } from "./probes.ts";
import { memoryReader } from "./testing/memory-reader.ts";
import type { Written } from "./testing/memory-reader.ts";
import * as o from "./testing/objects.ts";
import { why } from "./why.ts";

interface Outside {
  readonly trial?: Trial;
  readonly cname?: readonly string[];
  readonly podPort?: PodPort;
}

function probesOf({ trial, cname, podPort }: Outside): Probes {
  return {
    resolve: async (name, type) => (cname === undefined ? undefined : { name, type, values: cname }),
    request: async (url) => trial ?? { url, hops: [], status: 200 },
    podPort: async () => podPort,
  };
}

async function asked(
  what: string,
  objects: readonly Written[],
  {
    outside,
    forbidden = [],
    namespace = "shop",
  }: { outside?: Outside; forbidden?: readonly string[]; namespace?: string } = {},
): Promise<Answer> {
  const [kind = "", name = ""] = what.split("/");
  const [found] = kindsNamed(kind);
  const { resource } = found!;
  const reader = memoryReader(objects, forbidden);
  const ref = resource.namespaced ? { namespace, name } : { name };
  return why(reader, { resource, ref }, { now: o.NOW, ...(outside !== undefined && { probes: probesOf(outside) }) });
}

/** `state reason title: message` of the deepest cause. */
function causeOf({ links, cause, state }: Answer): string {
  if (cause === undefined) return state;
  const { title, reason, message } = links[cause]!;
  return `${state} ${reason} ${title}: ${message}`;
}

const failing = (reason: string, step: Trial["hops"][number]["step"], detail: string): Trial => ({
  url: "https://shop.example.com/",
  hops: [{ step, ok: false, ms: 1, detail, reason }],
});

const exposed = (
  told: Readonly<Record<string, o.Told>> = { Ready: o.good("ReconciliationSucceeded"), Exposed: o.good("Serving") },
): Written => o.application(told, { expose: { hostname: "shop.example.com", zoneId: "Z1" } });

/** A hostname whose validation record the operator has written down. */
const publishing = (told: o.Told): readonly Written[] => {
  const steps = { Claimed: o.good("Claimed"), CertificateRequested: o.good("Requested"), DnsValidated: told };
  return [o.request({ ...steps, Ready: told }), o.claim({ namespace: "shop", name: "web" }, steps)];
};

const RETRIES = "metadata.annotations[avapigw.io/retries]: write a whole number from 1 to 10";

suite("why, by what is known", () => {
  interface Case {
    readonly name: string;
    readonly ask: string;
    readonly objects: readonly Written[];
    readonly outside?: Outside;
    readonly expect: string | RegExp;
    readonly next?: RegExp;
  }
  const cases: readonly Case[] = [
    {
      name: "an Application whose pods are ready is live",
      ask: "application/web",
      objects: [o.application({ Ready: o.good("ReconciliationSucceeded") }), ...o.workload],
      expect: "ok",
    },
    {
      name: "an image that cannot be pulled is found at the pod",
      ask: "application/web",
      objects: [
        o.application({
          Ready: {
            reason: "ImagePullBackOff",
            message: "pod web-1-a, container app: the image web:1 cannot be pulled",
          },
        }),
        o.deployment(1, 0),
        o.replicaSet(1),
        o.pod("web-1-a", o.waitingPod("ImagePullBackOff", 'Back-off pulling image "web:1"')),
        o.service(),
        o.slice(0),
      ],
      expect: "broken ImagePullBackOff Pod web-1-a: Container app: the image web:1 cannot be pulled.",
      next: /imagePullSecrets/,
    },
    {
      name: "a crash loop leads to the log of the run before",
      ask: "deployment/web",
      objects: [
        o.deployment(1, 0),
        o.replicaSet(1),
        o.pod(
          "web-1-a",
          o.waitingPod("CrashLoopBackOff", "back-off", { terminated: { exitCode: 3, reason: "Error" } }),
        ),
      ],
      expect: "broken CrashLoopBackOff Pod web-1-a: Container app: ends again and again, last with code 3.",
      next: /kubectl logs -n shop web-1-a -c app --previous/,
    },
    {
      name: "a pod that was evicted, and for which another runs, is history",
      ask: "application/web",
      objects: [
        o.application({ Ready: o.good("ReconciliationSucceeded") }),
        ...o.workload,
        o.pod("web-1-old", o.evictedPod),
      ],
      expect: "ok",
    },
    {
      name: "a pod that was evicted is the cause while no other is ready",
      ask: "deployment/web",
      objects: [o.deployment(1, 0), o.replicaSet(1), o.pod("web-1-old", o.evictedPod)],
      expect: "broken Evicted Pod web-1-old: The node was low on resource: memory.",
      next: /resources/,
    },
    {
      name: "a Job that tries again after a pod failed is waited for",
      ask: "job/web",
      objects: [o.job({ active: 1, failed: 1 }), o.pod("web-old", { phase: "Failed" }), o.pod("web-new")],
      expect: "waiting JobRunning Job web: 0 of 1 pods have succeeded. 1 failed before, and it tries again.",
      next: /Wait: nobody has to do anything/,
    },
    {
      name: "a Job that failed is blamed on its pods",
      ask: "job/web",
      objects: [
        o.job({ failed: 1, conditions: [o.condition("Failed", { status: "True", reason: "BackoffLimitExceeded" })] }),
        o.pod("web-old", { phase: "Failed" }),
      ],
      expect: "broken Error Pod web-old: It failed, and is not started again.",
    },
    {
      name: "an init container in a crash loop is named, and its log is the one to read",
      ask: "deployment/web",
      objects: [
        o.deployment(1, 0),
        o.replicaSet(1),
        o.pod(
          "web-1-a",
          o.initializingPod({ waiting: { reason: "CrashLoopBackOff" } }, { terminated: { exitCode: 2 } }),
        ),
      ],
      expect: "broken CrashLoopBackOff Pod web-1-a: Init container migrate: ends again and again, last with code 2.",
      next: /kubectl logs -n shop web-1-a -c migrate --previous/,
    },
    {
      name: "an image of an init container that cannot be pulled is found at the pod",
      ask: "deployment/web",
      objects: [
        o.deployment(1, 0),
        o.replicaSet(1),
        o.pod("web-1-a", o.initializingPod({ waiting: { reason: "ImagePullBackOff" } })),
      ],
      expect: "broken ImagePullBackOff Pod web-1-a: Init container migrate: the image init:1 cannot be pulled.",
      next: /imagePullSecrets/,
    },
    {
      name: "a pod that failed in an init container leads to the log of that one",
      ask: "pod/web-1-a",
      objects: [
        o.pod(
          "web-1-a",
          { ...o.initializingPod({ terminated: { exitCode: 1 } }), phase: "Failed" },
          { restartPolicy: "Never" },
        ),
      ],
      expect: "broken Error Pod web-1-a: It failed, and is not started again.",
      next: /kubectl logs -n shop web-1-a -c migrate$/m,
    },
    {
      name: "a Deployment that asks for no pods says so",
      ask: "service/web",
      objects: [o.deployment(0), o.service(), o.slice(0)],
      expect: "broken ScaledToZero Deployment web: It asks for no pods.",
      next: /kubectl scale -n shop deployment\/web --replicas=1/,
    },
    {
      name: "pods are to be asked of the Application that made a Deployment, which puts back what was not said to it",
      ask: "service/web",
      objects: [o.deployment(0, 0, o.ofApplication), o.service(), o.slice(0)],
      expect: "broken ScaledToZero Deployment web: It asks for no pods.",
      next: /kubectl scale -n shop application\/web --replicas=1/,
    },
    {
      name: "a Service whose selector meets nothing says which labels it looks for",
      ask: "service/web",
      objects: [...o.workload.slice(0, 3), o.service({}, { app: "wob" }), o.slice(0)],
      expect: "broken NoPods Service web: No pod has the labels app=wob.",
      next: /--show-labels/,
    },
    {
      name: "a port that the Service does not have",
      ask: "httproute/web",
      objects: [
        ...o.workload,
        o.gateway(),
        o.grant(["shop.example.com"]),
        o.httpRoute(
          { Accepted: o.good("Accepted"), ResolvedRefs: { reason: "BackendNotFound", message: "port 81" } },
          {
            rules: [{ backendRefs: [{ kind: "Service", name: "web", port: 81 }] }],
          },
        ),
      ],
      expect: "broken PortNotFound Service web: It has no port 81; it has 80 (http).",
    },
    {
      name: "a target port at which nobody listens",
      ask: "application/web",
      objects: [o.application({ Ready: o.good("ReconciliationSucceeded") }), ...o.workload],
      outside: { podPort: "closed" },
      expect: "broken WrongPort Service web: Port 80 leads to port 8080 of pod web-1-a, where nobody listens.",
      next: /kubectl edit -n shop application\/web/,
    },
    {
      name: "a target port that no container declares is a risk where nobody looked",
      ask: "service/web",
      objects: [...o.workload.slice(0, 3), o.service({ targetPort: 9999 }), o.slice(1)],
      expect: /^warning WrongPort Service web: Port 80 leads to port 9999 of pod web-1-a, which it does not declare/,
    },
    {
      name: "a target port that no container declares is good when somebody listens there",
      ask: "service/web",
      objects: [...o.workload.slice(0, 3), o.service({ targetPort: 9999 }), o.slice(1)],
      outside: { podPort: "listening" },
      expect: "ok",
    },
    {
      name: "a named target port that pods lack",
      ask: "service/web",
      objects: [...o.workload.slice(0, 3), o.service({ targetPort: "grpc" }), o.slice(0)],
      expect: /^broken WrongPort Service web: Port 80 leads to the container port called grpc/,
    },
    {
      name: "an Application that no controller looks at",
      ask: "application/web",
      objects: [{ ...o.application({}), status: undefined }],
      expect: "broken NoController Application web: No controller looks at it.",
    },
    {
      name: "a missing zone is found through the Application",
      ask: "application/web",
      objects: [
        exposed({
          Ready: o.good("ReconciliationSucceeded"),
          Exposed: { reason: "ZoneNotFound", message: "there is no hosted zone Z1" },
        }),
        ...o.workload,
        o.request({
          Claimed: { reason: "ZoneNotFound", message: "there is no hosted zone Z1" },
          Ready: { reason: "ZoneNotFound" },
        }),
      ],
      expect: "broken ZoneNotFound Claim: there is no hosted zone Z1",
      next: /aws route53 list-hosted-zones-by-name --dns-name example.com/,
    },
    {
      name: "a claimed name leads to its holder",
      ask: "ghr/web",
      objects: [
        o.request({ Claimed: { reason: "ClaimedByAnother" }, Ready: { reason: "ClaimedByAnother" } }),
        o.claim({ namespace: "rival", name: "first" }),
      ],
      expect:
        "broken ClaimedByAnother DomainClaim shop.example.com: shop.example.com is held by GatewayHostnameRequest rival/first.",
      next: /gatewright why -n rival gatewayhostnamerequest\/first/,
    },
    {
      name: "steps after the one that waits come later, and none of them is the cause",
      ask: "ghr/web",
      objects: [
        o.request({
          ...o.SERVING,
          CertificateIssued: { reason: "PendingIssuance", message: "ACM validates the certificate." },
          ListenerAttached: { reason: "WaitingForGateway" },
          DnsAliasReady: { reason: "PendingChange" },
          Ready: { reason: "PendingIssuance" },
        }),
      ],
      expect: "waiting PendingIssuance Certificate: ACM validates the certificate.",
      next: /Wait: nobody has to do anything/,
    },
    {
      name: "a validation record that is gone keeps a certificate from being issued",
      ask: "ghr/web",
      objects: [
        o.request({
          ...o.SERVING,
          CertificateIssued: { reason: "PendingIssuance" },
          Ready: { reason: "PendingIssuance" },
        }),
        o.claim({ namespace: "shop", name: "web" }, { CertificateIssued: { reason: "PendingIssuance" } }),
      ],
      outside: { cname: [] },
      expect:
        "broken ValidationRecordMissing Validation record: CNAME _x.shop.example.com is not in DNS: the certificate is not issued.",
      next: /_y.acm-validations.aws/,
    },
    {
      name: "a validation record that Route 53 is publishing is waited for",
      ask: "ghr/web",
      objects: publishing({ reason: "PendingChange", message: "Route 53 is changing it.", young: true }),
      outside: { cname: [] },
      expect: "waiting PendingChange Validation record: Route 53 is changing it.",
      next: /Wait: nobody has to do anything/,
    },
    {
      name: "a validation record that does not come for many minutes is missing",
      ask: "ghr/web",
      objects: publishing({ reason: "PendingChange", message: "Route 53 is changing it." }),
      outside: { cname: [] },
      expect: /^broken ValidationRecordMissing Validation record: CNAME _x.shop.example.com is not in DNS/,
    },
    {
      name: "a validation record that says something else is told at once",
      ask: "ghr/web",
      objects: publishing({ reason: "PendingChange", message: "Route 53 is changing it.", young: true }),
      outside: { cname: ["evil.example.net"] },
      expect: /^broken ValidationRecordChanged Validation record: CNAME _x.shop.example.com leads to evil/,
    },
    {
      name: "a validation record that could not be made is told by why not",
      ask: "ghr/web",
      objects: publishing({ reason: "RecordRefused", message: "Route 53 does not take it." }),
      outside: { cname: [] },
      expect: "broken RecordRefused Validation record: Route 53 does not take it.",
    },
    {
      name: "a validation record that leads elsewhere endangers a hostname that is live",
      ask: "ghr/web",
      objects: [
        o.request(o.SERVING),
        o.claim({ namespace: "shop", name: "web" }),
        o.gateway(),
        o.httpRoute(o.TAKEN),
        ...o.workload,
      ],
      outside: { cname: ["evil.example.net"] },
      expect:
        "warning ValidationRecordChanged Validation record: CNAME _x.shop.example.com leads to evil.example.net and not to _y.acm-validations.aws: the certificate is served, and will not be renewed.",
    },
    {
      name: "a record as it should be is ok, whatever its dots and letters",
      ask: "ghr/web",
      objects: [
        o.request(o.SERVING),
        o.claim({ namespace: "shop", name: "web" }),
        o.gateway(),
        o.httpRoute(o.TAKEN),
        ...o.workload,
      ],
      outside: { cname: ["_Y.acm-validations.aws"] },
      expect: "ok",
    },
    {
      name: "a hostname without a route answers 404",
      ask: "ghr/web",
      objects: [o.request(o.SERVING), o.gateway()],
      expect: "warning NoRoute Routes: No HTTPRoute of shop names it, so it answers 404.",
      next: /parent edge\/gw-01/,
    },
    {
      name: "an expired certificate is seen from outside, whatever statuses say",
      ask: "ghr/web",
      objects: [o.request(o.SERVING), o.httpRoute(o.TAKEN), ...o.workload],
      outside: { trial: failing("CertificateExpired", "tls", "The certificate has ended.") },
      expect: "broken CertificateExpired TLS: The certificate has ended.",
      next: /gatewright try https:\/\/shop.example.com\//,
    },
    {
      name: "a load balancer that takes no connections",
      ask: "application/web",
      objects: [exposed(), ...o.workload, o.request(o.SERVING), o.httpRoute(o.TAKEN)],
      outside: { trial: failing("NoConnection", "connect", "Nobody takes connections there.") },
      expect: "broken NoConnection Connection: Nobody takes connections there.",
    },
    {
      name: "a bad answer is blamed on what is behind it",
      ask: "ghr/web",
      objects: [o.request(o.SERVING), o.httpRoute(o.TAKEN), ...o.workload],
      outside: { trial: failing("BadAnswer", "request", "/ answers 502."), podPort: "closed" },
      expect: /^broken WrongPort Service web/,
    },
    {
      name: "a call that AWS throttles is told as such, and waited for",
      ask: "ghr/web",
      objects: [
        o.request({
          Claimed: o.good("Claimed"),
          CertificateRequested: {
            reason: "AwsCallFailed",
            message: "acm RequestCertificate: ThrottlingException: Rate exceeded",
          },
          Ready: { reason: "AwsCallFailed", message: "acm RequestCertificate: ThrottlingException: Rate exceeded" },
        }),
      ],
      expect: "waiting Throttled Certificate request: acm RequestCertificate: ThrottlingException: Rate exceeded",
      next: /higher rate/,
    },
    {
      name: "a Gateway that says no is deeper than the listener",
      ask: "ghr/web",
      objects: [
        o.request({
          ...o.SERVING,
          ListenerAttached: { reason: "GatewayNotProgrammed" },
          DnsAliasReady: { reason: "PendingChange" },
          Ready: { reason: "GatewayNotProgrammed" },
        }),
        o.gateway({ Accepted: o.good("Accepted"), Programmed: { reason: "Invalid", message: "no subnets" } }),
      ],
      expect: "broken Invalid Gateway gw-01: no subnets",
    },
    {
      name: "a route whose namespace may not use the name",
      ask: "httproute/web",
      objects: [...o.workload, o.gateway(), o.httpRoute(o.TAKEN), o.claim({ namespace: "rival", name: "first" })],
      expect:
        "broken NotGranted Grant: Namespace shop may not use shop.example.com. shop.example.com belongs to namespace rival.",
    },
    {
      name: "a route that its parent does not take",
      ask: "httproute/web",
      objects: [
        ...o.workload,
        o.gateway(),
        o.grant(["*.example.com"]),
        o.httpRoute({ Accepted: { reason: "NotAllowedByListeners", message: "No listener allows it." } }),
      ],
      expect: "broken NotAllowedByListeners HTTPRoute web: No listener allows it.",
      next: /routePolicy/,
    },
    {
      name: "a route whose Gateway is not there",
      ask: "httproute/web",
      objects: [...o.workload, o.grant(["shop.example.com"]), o.httpRoute(o.TAKEN)],
      expect: "broken NotFound Gateway gw-01: There is no Gateway edge/gw-01.",
    },
    {
      name: "an invalid APIRoute names the field",
      ask: "apiroute/orders",
      objects: [
        o.apiRoute({
          Ready: { reason: "Invalid" },
          Accepted: { reason: "Invalid", message: "spec.timeout: must be a duration" },
        }),
        ...o.workload,
        o.connected(),
      ],
      expect: "broken Invalid Accepted: spec.timeout: must be a duration",
    },
    {
      name: "an APIRoute with no gateway connected",
      ask: "apiroute/orders",
      objects: [o.apiRoute({ ...o.APPLIED, Ready: { reason: "NoGateways" } }), ...o.workload],
      expect: /^broken NothingConnected Gateways: No gateway is connected/,
      next: /gatewright gateways/,
    },
    {
      name: "an APIRoute that a gateway refuses is told in the gateway's words",
      ask: "apiroute/orders",
      objects: [
        o.apiRoute({ ...o.APPLIED, Ready: { reason: "Refused" } }),
        ...o.workload,
        o.connected({
          refused: 1,
          refusals: [{ object: "APIRoute shop/orders", version: "1", field: "spec.x", message: "not known" }],
        }),
      ],
      expect: "broken GatewayRefused Gateway edge/one: It refused APIRoute shop/orders: spec.x: not known",
    },
    {
      name: "that a gateway refused another route is no matter of this one",
      ask: "apiroute/orders",
      objects: [
        o.apiRoute(o.APPLIED),
        ...o.workload,
        o.connected({
          refused: 1,
          refusals: [{ object: "APIRoute shop/other", version: "1", field: "spec.x", message: "not known" }],
        }),
      ],
      expect: "ok",
    },
    {
      name: "an APIRoute whose Service is misspelt hears which there are",
      ask: "apiroute/orders",
      objects: [
        o.apiRoute(
          { ...o.APPLIED, ResolvedRefs: { reason: "BackendNotFound" } },
          { route: [{ destination: { host: "wbe", port: 80 } }] },
        ),
        ...o.workload,
        o.connected(),
      ],
      expect: "broken NotFound Service wbe: There is no Service wbe in namespace shop. There are: web.",
    },
    {
      name: "an APIRoute to a Service that is the only host of a Backend hears what is wrong with that Backend",
      ask: "apiroute/orders",
      objects: [
        o.apiRoute(o.APPLIED),
        o.backend({ ...o.APPLIED, Accepted: { reason: "NotPermitted", message: "no grant" } }, "web.shop.svc"),
        ...o.workload,
        o.connected(),
      ],
      expect: "broken NotPermitted Accepted: no grant",
    },
    {
      name: "an APIRoute to one of several hosts of a Backend has nothing to do with that Backend",
      ask: "apiroute/orders",
      objects: [
        o.apiRoute(o.APPLIED),
        o.backend({ ...o.APPLIED, Accepted: { reason: "NotPermitted", message: "no grant" } }, "web", "web2"),
        ...o.workload,
        o.connected(),
      ],
      expect: "ok",
    },
    {
      name: "an Ingress with an annotation that is not understood is at risk",
      ask: "ingress/web",
      objects: [o.ingress({ "avapigw.io/retries": "-1" }), o.ingressWarning(RETRIES), ...o.workload, o.connected()],
      expect: `warning IngressNotUnderstood Warning: ${RETRIES}`,
    },
    {
      name: "a warning about an annotation that was mended since is over",
      ask: "ingress/web",
      objects: [o.ingress({ "avapigw.io/retries": "2" }), o.ingressWarning(RETRIES), ...o.workload, o.connected()],
      expect: "ok",
    },
    {
      name: "an Ingress that another controller serves needs none of our gateways, by the annotation for classes",
      ask: "ingress/web",
      objects: [o.ingress({ "kubernetes.io/ingress.class": "nginx" }, ""), ...o.workload],
      expect: "ok",
    },
    {
      name: "an Ingress without a class is not ours",
      ask: "ingress/web",
      objects: [o.ingress({}, ""), ...o.workload],
      expect: "ok",
    },
    {
      name: "an Ingress of our class needs a gateway, by the annotation for classes",
      ask: "ingress/web",
      objects: [o.ingress({ "kubernetes.io/ingress.class": "avapigw" }, ""), ...o.workload],
      expect: /^broken NothingConnected Gateways/,
    },
    {
      name: "a class is ours under any name when our controller looks after it",
      ask: "ingress/web",
      objects: [o.ingress({}, "edge"), o.ingressClass("edge", "avapigw.io/ingress-controller"), ...o.workload],
      expect: /^broken NothingConnected Gateways/,
    },
    {
      name: "a queue whose calls are throttled waits, and the cause is named",
      ask: "sqsqueue/orders",
      objects: [
        o.queue({ reason: "Throttled", message: "sqs CreateQueue: RequestThrottled: Rate exceeded" }),
        o.provider(o.good("Authenticated")),
      ],
      expect: "waiting Throttled SQSQueue orders: sqs CreateQueue: RequestThrottled: Rate exceeded",
    },
    {
      name: "a queue waits for its provider, whose keys are missing",
      ask: "sqsqueue/orders",
      objects: [
        o.queue({ reason: "ProviderNotReady" }),
        o.provider({ reason: "CredentialsMissing", message: "no Secret" }),
      ],
      expect: "broken NotFound Secret keys: There is no Secret keys in namespace shop.",
      next: /kubectl create secret generic -n shop keys/,
    },
    {
      name: "a queue that refers to another that is not there",
      ask: "sqsqueue/orders",
      objects: [
        o.queue(
          { reason: "WaitingForReference" },
          { deadLetterQueue: { queueRef: { name: "failed" }, maxReceiveCount: 3 } },
        ),
        o.provider(o.good("Authenticated")),
      ],
      expect: "broken NotFound SQSQueue failed: There is no SQSQueue failed in namespace shop.",
    },
    {
      name: "queues that wait for each other are told so, once",
      ask: "sqsqueue/orders",
      objects: [
        o.queue({ reason: "WaitingForReference" }, { deadLetterQueue: { queueRef: { name: "orders" } } }),
        o.provider(o.good("Authenticated")),
      ],
      expect:
        "broken Circle SQSQueue orders: SQSQueue orders waits for SQSQueue orders: none is made before the other.",
      next: /Take one of the references away/,
    },
    {
      name: "queues that refer to each other and are there are nobody's trouble",
      ask: "sqsqueue/orders",
      objects: [
        o.queue(o.good("InSync"), { deadLetterQueue: { queueRef: { name: "orders" } } }),
        o.provider(o.good("Authenticated")),
      ],
      expect: "ok",
    },
    {
      name: "a plan that waits for approval comes with the command that gives it",
      ask: "sqsqueue/orders",
      objects: [
        o.queue(
          { reason: "ReplacementNeeded", message: "fifo differs" },
          {},
          {
            plan: { hash: "abc", action: "Replace", changes: [{ field: "fifoQueue", have: "false", want: "true" }] },
          },
        ),
        o.provider(o.good("Authenticated")),
      ],
      expect: "broken ReplacementNeeded SQSQueue orders: fifo differs",
      next: /approve=abc/,
    },
    {
      name: "a bucket that goes and is not empty tells what holds it up, and what to do",
      ask: "s3bucket/receipts",
      objects: [
        o.leaving(o.bucket({ reason: "NotEmpty", message: "The bucket has objects." })),
        o.provider(o.good("Authenticated")),
      ],
      expect: "broken NotEmpty S3Bucket receipts: It is being deleted. The bucket has objects.",
      next: /forceDestroy/,
    },
    {
      name: "a bucket that goes and is in nobody's way is waited for",
      ask: "s3bucket/receipts",
      objects: [
        o.leaving(o.bucket({ reason: "Deleting", message: "It is being deleted." })),
        o.provider(o.good("Authenticated")),
      ],
      expect: "waiting Deleting S3Bucket receipts: It is being deleted, and held by example.com/operator.",
    },
    {
      name: "what was said before a deletion is not what holds it up",
      ask: "s3bucket/receipts",
      objects: [
        o.leaving(o.bucket({ reason: "NotEmpty", message: "The bucket has objects." }), { generation: 2 }),
        o.provider(o.good("Authenticated")),
      ],
      expect: "waiting Deleting S3Bucket receipts: It is being deleted, and held by example.com/operator.",
    },
    {
      name: "what garbage collection holds is waited for, however it was",
      ask: "s3bucket/receipts",
      objects: [
        o.leaving(o.bucket({ reason: "NotEmpty", message: "" }), { finalizers: ["foregroundDeletion"] }),
        o.provider(o.good("Authenticated")),
      ],
      expect: "waiting Deleting S3Bucket receipts: It is being deleted, and held by foregroundDeletion.",
    },
    {
      name: "a paused object that goes waits for a person, though it said that it is ready",
      ask: "s3bucket/receipts",
      objects: [
        o.leaving(o.bucket({ status: "True", reason: "Paused", message: "Nothing is read or changed." })),
        o.provider(o.good("Authenticated")),
      ],
      expect: "broken Paused S3Bucket receipts: It is being deleted. Nothing is read or changed.",
    },
    {
      name: "a provider that goes and is used names who uses it",
      ask: "awsprovider/aws",
      objects: [
        o.leaving(
          o.provider(o.good("Authenticated"), { InUse: o.good("InUse", "It is used by SQSQueue shop/orders.") }),
        ),
      ],
      expect: "broken InUse AWSProvider aws: It is being deleted. It is used by SQSQueue shop/orders.",
      next: /Delete those who use it/,
    },
    {
      name: "a provider that lost its keys while its namespace goes can be given others",
      ask: "awsprovider/aws",
      objects: [o.leaving(o.provider({ reason: "CredentialsMissing", message: "There is no Secret keys." }))],
      expect: "broken NotFound Secret keys: There is no Secret keys in namespace shop.",
      next: /kubectl patch -n shop awsprovider\/aws --type merge/,
    },
    {
      name: "to who uses it, such a provider is there still",
      ask: "sqsqueue/orders",
      objects: [
        o.queue(o.good("InSync")),
        o.leaving(
          o.provider(o.good("Authenticated"), { InUse: o.good("InUse", "It is used by SQSQueue shop/orders.") }),
        ),
      ],
      expect: "warning InUse AWSProvider aws: It is being deleted. It is used by SQSQueue shop/orders.",
    },
    {
      name: "a queue that works and whose last change AWS refused is live, with a warning",
      ask: "sqsqueue/orders",
      objects: [
        o.queue({ status: "True", reason: "Invalid", message: "sqs SetQueueAttributes: InvalidAttributeValue" }),
        o.provider(o.good("Authenticated")),
      ],
      expect: "warning Invalid SQSQueue orders: sqs SetQueueAttributes: InvalidAttributeValue",
    },
    {
      name: "what to do is not told twice where a message ends in it",
      ask: "awsprovider/aws",
      objects: [
        o.provider({
          reason: "WrongAccount",
          message: "The account is 2. Use credentials of that account, or change accountID.",
        }),
        o.keys,
      ],
      expect: "broken WrongAccount AWSProvider aws: The account is 2.",
      next: /Use credentials of that account/,
    },
    {
      name: "an object that is not there hears of those that are",
      ask: "apiroute/nope",
      objects: [o.apiRoute(o.APPLIED)],
      expect: "broken NotFound APIRoute nope: There is no APIRoute nope in namespace shop. There are: orders.",
      next: /gatewright why -f FILE/,
    },
    {
      name: "a spec that was changed a moment ago is on its way",
      ask: "application/web",
      objects: [
        {
          ...o.application({ Ready: o.good("ReconciliationSucceeded") }),
          metadata: { ...o.application({}).metadata, generation: 2 },
        },
        ...o.workload,
      ],
      expect: "waiting NotObserved Application web: The newest spec has not been looked at yet.",
    },
    {
      name: "a pod that is not ready for a moment only is waited for",
      ask: "application/web",
      objects: [
        o.application({ Ready: { reason: "NotReady", message: "1 of 1", young: true } }),
        o.deployment(1),
        o.replicaSet(1),
        o.service(),
        o.slice(1),
        o.pod("web-1-a"),
      ],
      expect: "waiting NotReady Application web: 1 of 1",
    },
  ];
  for (const { name, ask, objects, outside, expect, next } of cases) {
    test(name, async () => {
      const answer = await asked(ask, objects, outside === undefined ? {} : { outside });
      if (typeof expect === "string") assert.equal(causeOf(answer), expect);
      else assert.match(causeOf(answer), expect);
      const steps = answer.next.map(({ text, command = "" }) => `${text} ${command}`).join("\n");
      if (next !== undefined) assert.match(steps, next);
      assert.ok(answer.state === "ok" || answer.next.length > 0, "there is always something to do");
      assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer, "an answer can be sent as JSON");
    });
  }
});

test("a Service with endpoints does not count pods that were evicted", async () => {
  const { links } = await asked("service/web", [...o.workload, o.pod("web-1-old", o.evictedPod)]);
  assert.deepEqual(
    links.map(({ message }) => message),
    ["1 of 1 pods take requests."],
  );
});

suite("what may not be read", () => {
  test("is unknown, never absent, and says which right is missing", async () => {
    const answer = await asked("application/web", o.workload, { forbidden: ["applications"] });
    assert.equal(answer.state, "unknown");
    assert.match(answer.headline, /You may not get applications/);
    assert.match(answer.next[0]?.command ?? "", /kubectl auth can-i get applications/);
  });

  test("does not make an Application unknown that says that it is ready", async () => {
    const objects = [o.application({ Ready: o.good("ReconciliationSucceeded") }), ...o.workload];
    const answer = await asked("application/web", objects, { forbidden: ["deployments", "pods"] });
    assert.equal(answer.state, "ok");
    assert.ok(answer.links.some(({ title, state }) => title === "Deployment web" && state === "unknown"));
  });

  test("claims that a team may not see leave the steps of its request as they are", async () => {
    const objects = [
      o.request({
        Claimed: { reason: "ClaimedByAnother", message: "held by rival/first" },
        Ready: { reason: "ClaimedByAnother" },
      }),
    ];
    const answer = await asked("ghr/web", objects, { forbidden: ["domainclaims"] });
    assert.equal(causeOf(answer), "broken ClaimedByAnother Claim: held by rival/first");
  });
});

test("nothing is listed over all namespaces but kinds of which there are few", async () => {
  const reader = memoryReader([
    exposed(),
    ...o.workload,
    o.request(o.SERVING),
    o.httpRoute(o.TAKEN),
    o.apiRoute(o.APPLIED),
    o.connected(),
  ]);
  for (const [kind, name] of [
    ["application", "web"],
    ["ghr", "web"],
    ["httproute", "web"],
    ["apiroute", "orders"],
  ] as const) {
    await why(reader, { resource: kindsNamed(kind)[0]!.resource, ref: { namespace: "shop", name } }, { now: o.NOW });
  }
  const wide = reader.asked.filter((each) => /^list \S+ \*$/.test(each));
  assert.deepEqual([...new Set(wide)], ["list connectedgateways *"]);
});
