import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuleCondition } from "@gatewright/aws-wire/types/elbv2";
import { NOT_FOUND, certificateArn, createBench } from "./testing/bench.ts";
import type { Bench } from "./testing/bench.ts";

async function httpsListener({ call }: Bench, LoadBalancerArn: string, certificate = "default"): Promise<string> {
  const { Listeners } = await call("CreateListener", {
    LoadBalancerArn,
    Protocol: "HTTPS",
    Port: 443,
    Certificates: [{ CertificateArn: certificateArn(certificate) }],
    DefaultActions: [NOT_FOUND],
  });
  return Listeners?.[0]?.ListenerArn ?? "";
}

const host = (...values: string[]): RuleCondition => ({ Field: "host-header", Values: values });

test("a listener needs a certificate that is there and issued, a port of its own and a protocol of its load balancer", async () => {
  const bench = createBench();
  const { call } = bench;
  const LoadBalancerArn = await bench.loadBalancer();
  const https = { LoadBalancerArn, Protocol: "HTTPS", Port: 443, DefaultActions: [NOT_FOUND] };
  const refused = (more: object, code: string): Promise<void> =>
    assert.rejects(call("CreateListener", { ...https, ...more }), { code });
  await refused({}, "ValidationError");
  await refused({ Certificates: [{ CertificateArn: certificateArn("gone") }] }, "CertificateNotFound");
  await refused({ Certificates: [{ CertificateArn: certificateArn("pending") }] }, "UnsupportedCertificate");
  await refused({ Protocol: "TCP" }, "UnsupportedProtocol");
  await refused({ SslPolicy: "mine", Certificates: [{ CertificateArn: certificateArn("a") }] }, "SSLPolicyNotFound");
  await refused({ Port: 0 }, "ValidationError");
  await refused({ LoadBalancerArn: `${LoadBalancerArn}0` }, "LoadBalancerNotFound");
  await httpsListener(bench, LoadBalancerArn);
  await refused({ Protocol: "HTTP" }, "DuplicateListener");
  const { Listeners } = await call("DescribeListeners", { LoadBalancerArn });
  assert.equal(Listeners?.[0]?.SslPolicy, "ELBSecurityPolicy-2016-08");
  assert.deepEqual(Listeners?.[0]?.Certificates, [{ CertificateArn: certificateArn("default") }]);
  await assert.rejects(call("DescribeListeners", { LoadBalancerArn }, "eu-west-1"), { code: "LoadBalancerNotFound" });
});

test("certificates come one a call, 25 besides the default; the default stays", async () => {
  const bench = createBench();
  const { call } = bench;
  const ListenerArn = await httpsListener(bench, await bench.loadBalancer());
  const add = (name: string): Promise<unknown> =>
    call("AddListenerCertificates", { ListenerArn, Certificates: [{ CertificateArn: certificateArn(name) }] });
  for (let index = 0; index < 25; index++) await add(`c${index}`);
  await add("c3");
  await assert.rejects(add("c25"), { code: "TooManyCertificates" });
  await assert.rejects(add("gone"), { code: "CertificateNotFound" });
  await assert.rejects(call("AddListenerCertificates", { ListenerArn, Certificates: [] }), { code: "ValidationError" });
  const remove = (name: string): Promise<unknown> =>
    call("RemoveListenerCertificates", { ListenerArn, Certificates: [{ CertificateArn: certificateArn(name) }] });
  await assert.rejects(remove("default"), { code: "OperationNotPermitted" });
  await remove("c0");
  await remove("c0");
  await add("c25");
  const first = await call("DescribeListenerCertificates", { ListenerArn, PageSize: 20 });
  assert.deepEqual(first.Certificates?.[0], { CertificateArn: certificateArn("default"), IsDefault: true });
  const rest = await call("DescribeListenerCertificates", { ListenerArn, PageSize: 20, Marker: first.NextMarker });
  assert.deepEqual([rest.Certificates?.length, rest.NextMarker], [6, undefined]);
  await assert.rejects(call("DescribeListenerCertificates", { ListenerArn, Marker: "%" }), { code: "ValidationError" });
});

test("rules have priorities of their own, are told in order and can change places", async () => {
  const bench = createBench();
  const { call } = bench;
  const ListenerArn = await bench.listener(await bench.loadBalancer());
  const make = async (Priority: number): Promise<string> => {
    const { Rules } = await call("CreateRule", {
      ListenerArn,
      Priority,
      Conditions: [host(`h${Priority}.test`)],
      Actions: [NOT_FOUND],
    });
    return Rules?.[0]?.RuleArn ?? "";
  };
  const [second, first] = [await make(20), await make(3)];
  await assert.rejects(make(3), { code: "PriorityInUse" });
  await assert.rejects(make(0), { code: "ValidationError" });
  const order = async (): Promise<unknown> =>
    (await call("DescribeRules", { ListenerArn })).Rules?.map(({ Priority }) => Priority);
  assert.deepEqual(await order(), ["3", "20", "default"]);
  await call("SetRulePriorities", {
    RulePriorities: [
      { RuleArn: first, Priority: 20 },
      { RuleArn: second, Priority: 3 },
    ],
  });
  assert.deepEqual((await call("DescribeRules", { ListenerArn })).Rules?.map(({ RuleArn }) => RuleArn).slice(0, 2), [
    second,
    first,
  ]);
  await assert.rejects(call("SetRulePriorities", { RulePriorities: [{ RuleArn: first, Priority: 3 }] }), {
    code: "PriorityInUse",
  });
  const fallback = (await call("DescribeRules", { ListenerArn })).Rules?.at(-1)?.RuleArn ?? "";
  await assert.rejects(call("DeleteRule", { RuleArn: fallback }), { code: "OperationNotPermitted" });
  await call("DeleteRule", { RuleArn: first });
  await assert.rejects(call("DescribeRules", { RuleArns: [first] }), { code: "RuleNotFound" });
});

test("the 101st rule of a load balancer is too many, over all of its listeners; switched off, none is", async () => {
  for (const quotas of ["off", {}] as const) {
    const bench = createBench({ quotas });
    const loadBalancer = await bench.loadBalancer();
    const listeners = [await bench.listener(loadBalancer, 80), await bench.listener(loadBalancer, 81)];
    const make = (index: number): Promise<unknown> =>
      bench.call("CreateRule", {
        ListenerArn: listeners[index % 2] ?? "",
        Priority: index + 1,
        Conditions: [host("a.test")],
        Actions: [NOT_FOUND],
      });
    for (let index = 0; index < 100; index++) await make(index);
    if (quotas === "off") await make(100);
    else await assert.rejects(make(100), { code: "TooManyRules" });
  }
});

test("conditions are held to AWS's limits", async () => {
  const bench = createBench();
  const ListenerArn = await bench.listener(await bench.loadBalancer());
  const make = (...Conditions: RuleCondition[]): Promise<unknown> =>
    bench.call("CreateRule", { ListenerArn, Priority: 1, Conditions, Actions: [NOT_FOUND] });
  const bad: readonly RuleCondition[][] = [
    [],
    [{ Field: "cookie" }],
    [host("a.test"), host("b.test")],
    [host("a", "b", "c", "d", "e", "f")],
    [host("*.?.*.?.*.*.*")],
    [host("a b")],
    [host("x".repeat(129))],
    [{ Field: "path-pattern", Values: [] }],
    [{ Field: "http-header", HttpHeaderConfig: { HttpHeaderName: "Host", Values: ["a"] } }],
    [{ Field: "http-header", HttpHeaderConfig: { HttpHeaderName: "X".repeat(41), Values: ["a"] } }],
    [{ Field: "http-request-method", HttpRequestMethodConfig: { Values: ["get"] } }],
    [{ Field: "source-ip", SourceIpConfig: { Values: ["10.0.0.0/33"] } }],
    [{ Field: "source-ip", SourceIpConfig: { Values: ["10.0.0.1"] } }],
    [{ Field: "query-string", QueryStringConfig: { Values: [{ Key: "a", Value: "" }] } }],
  ];
  for (const conditions of bad)
    await assert.rejects(make(...conditions), { code: "ValidationError" }, JSON.stringify(conditions));
  await make(
    host("*.a.test"),
    { Field: "path-pattern", Values: ["/a", "/a/*"] },
    { Field: "source-ip", SourceIpConfig: { Values: ["::/0"] } },
  );
});

test("actions are checked and completed", async () => {
  const bench = createBench();
  const loadBalancer = await bench.loadBalancer();
  const ListenerArn = await bench.listener(loadBalancer);
  const group = await bench.targetGroup();
  const make = (...Actions: { Type: string }[]): ReturnType<typeof bench.call<"CreateRule">> =>
    bench.call("CreateRule", { ListenerArn, Priority: 1, Conditions: [host("a.test")], Actions });
  const refused = (code: string, ...actions: { Type: string }[]): Promise<void> =>
    assert.rejects(make(...actions), { code });
  const redirect = (more: object): { Type: string } =>
    ({ Type: "redirect", RedirectConfig: { StatusCode: "HTTP_301", ...more } }) as never;
  await refused("InvalidLoadBalancerAction", redirect({}));
  await refused("ValidationError", redirect({ Port: "0" }));
  await refused("ValidationError", redirect({ Path: "no-slash" }));
  await refused("ValidationError", redirect({ Host: "a\r\nSet-Cookie: b" }));
  await refused("ValidationError", { Type: "fixed-response", FixedResponseConfig: { StatusCode: "302" } } as never);
  await refused("TargetGroupNotFound", { Type: "forward", TargetGroupArn: `${group}0` } as never);
  await refused("InvalidLoadBalancerAction", {
    Type: "forward",
    TargetGroupArn: await bench.targetGroup("tcp", { Protocol: "TCP" }),
  } as never);
  const { Rules } = await make({ Type: "forward", TargetGroupArn: group } as never);
  assert.deepEqual(Rules?.[0]?.Actions, [
    {
      Type: "forward",
      TargetGroupArn: group,
      ForwardConfig: {
        TargetGroups: [{ TargetGroupArn: group, Weight: 1 }],
        TargetGroupStickinessConfig: { Enabled: false },
      },
    },
  ]);
  const other = await bench.listener(await bench.loadBalancer("other"));
  await assert.rejects(
    bench.call("ModifyListener", { ListenerArn: other, DefaultActions: [{ Type: "forward", TargetGroupArn: group }] }),
    { code: "TargetGroupAssociationLimit" },
  );
});
