import assert from "node:assert/strict";
import { test } from "node:test";
import { createBench } from "./testing/bench.ts";

test("a target is unused, initial, healthy, draining and gone in turn", async () => {
  const bench = createBench();
  const { call, clock } = bench;
  const TargetGroupArn = await bench.targetGroup();
  const Targets = [{ Id: "10.0.0.1", Port: 8080 }];
  const state = async (): Promise<unknown> => {
    const { TargetHealthDescriptions } = await call("DescribeTargetHealth", { TargetGroupArn });
    return TargetHealthDescriptions?.map(({ TargetHealth }) => TargetHealth?.State);
  };
  await call("RegisterTargets", { TargetGroupArn, Targets });
  assert.deepEqual(await state(), ["unused"]);
  const ListenerArn = await bench.listener(await bench.loadBalancer());
  await call("ModifyListener", { ListenerArn, DefaultActions: [{ Type: "forward", TargetGroupArn }] });
  assert.deepEqual(await state(), ["initial"]);
  clock.advance(30_000);
  assert.deepEqual(await state(), ["healthy"]);
  await assert.rejects(call("DeleteTargetGroup", { TargetGroupArn }), { code: "ResourceInUse" });
  await call("DeregisterTargets", { TargetGroupArn, Targets });
  clock.advance(299_999);
  assert.deepEqual(await state(), ["draining"]);
  clock.advance(1);
  assert.deepEqual(await state(), []);
  const asked = await call("DescribeTargetHealth", { TargetGroupArn, Targets });
  assert.equal(asked.TargetHealthDescriptions?.[0]?.TargetHealth?.Reason, "Target.NotRegistered");
  await call("DeleteListener", { ListenerArn });
  await call("DeleteTargetGroup", { TargetGroupArn });
});

test("one that comes back while it drains is registered anew", async () => {
  const bench = createBench();
  const { call, clock } = bench;
  const TargetGroupArn = await bench.targetGroup();
  const ListenerArn = await bench.listener(await bench.loadBalancer());
  await call("ModifyListener", { ListenerArn, DefaultActions: [{ Type: "forward", TargetGroupArn }] });
  const Targets = [{ Id: "10.0.0.1" }];
  await call("RegisterTargets", { TargetGroupArn, Targets });
  clock.advance(60_000);
  await call("DeregisterTargets", { TargetGroupArn, Targets });
  await call("RegisterTargets", { TargetGroupArn, Targets });
  clock.advance(600_000);
  const { TargetHealthDescriptions } = await call("DescribeTargetHealth", { TargetGroupArn });
  assert.deepEqual(TargetHealthDescriptions, [
    { Target: { Id: "10.0.0.1", Port: 80 }, HealthCheckPort: "80", TargetHealth: { State: "healthy" } },
  ]);
});

test("health check settings have AWS's defaults and limits", async () => {
  const bench = createBench();
  const { call } = bench;
  await bench.targetGroup("web");
  const { TargetGroups } = await call("DescribeTargetGroups", { Names: ["web"] });
  const { TargetGroupArn: _arn, ...told } = TargetGroups?.[0] ?? {};
  assert.deepEqual(told, {
    TargetGroupName: "web",
    TargetType: "ip",
    Protocol: "HTTP",
    ProtocolVersion: "HTTP1",
    Port: 80,
    VpcId: "vpc-1",
    IpAddressType: "ipv4",
    HealthCheckProtocol: "HTTP",
    HealthCheckPort: "traffic-port",
    HealthCheckEnabled: true,
    HealthCheckPath: "/",
    HealthCheckIntervalSeconds: 30,
    HealthCheckTimeoutSeconds: 5,
    HealthyThresholdCount: 5,
    UnhealthyThresholdCount: 2,
    Matcher: { HttpCode: "200" },
    LoadBalancerArns: [],
  });
  await bench.targetGroup("web");
  await assert.rejects(bench.targetGroup("web", { Port: 81 }), { code: "DuplicateTargetGroupName" });
  const bad = [
    { HealthCheckIntervalSeconds: 4 },
    { HealthCheckTimeoutSeconds: 30 },
    { HealthyThresholdCount: 1 },
    { HealthCheckPath: "x" },
    { Matcher: { HttpCode: "200-600" } },
    { Matcher: { HttpCode: "2xx" } },
    { Matcher: { GrpcCode: "0" } },
    { HealthCheckProtocol: "TCP" },
    { ProtocolVersion: "HTTP3" },
    { TargetType: "lambda" },
    { Protocol: "SCTP" },
  ];
  for (const more of bad)
    await assert.rejects(bench.targetGroup("bad", more), { code: "ValidationError" }, JSON.stringify(more));
});

test("targets fit the type of their group", async () => {
  const bench = createBench({ quotas: { "targets-per-target-group": 2 } });
  const { call } = bench;
  const ip = await bench.targetGroup("ip");
  const register = (TargetGroupArn: string, ...Targets: { Id: string; Port?: number }[]): Promise<unknown> =>
    call("RegisterTargets", { TargetGroupArn, Targets });
  await assert.rejects(register(ip, { Id: "i-1" }), { code: "ValidationError" });
  await assert.rejects(register(await bench.targetGroup("instance", { TargetType: "instance" }), { Id: "10.0.0.1" }), {
    code: "InvalidTarget",
  });
  await register(ip, { Id: "10.0.0.1" }, { Id: "10.0.0.1", Port: 81 });
  await register(ip, { Id: "10.0.0.1" });
  await assert.rejects(register(ip, { Id: "10.0.0.2" }), { code: "TooManyTargets" });
  const alb = await bench.targetGroup("alb", { TargetType: "alb", Protocol: "TCP" });
  const loadBalancer = await bench.loadBalancer();
  await assert.rejects(register(alb, { Id: loadBalancer }), { code: "InvalidTarget" });
  await bench.listener(loadBalancer);
  await register(alb, { Id: loadBalancer });
  await assert.rejects(call("DeleteLoadBalancer", { LoadBalancerArn: loadBalancer }), { code: "ResourceInUse" });
});
