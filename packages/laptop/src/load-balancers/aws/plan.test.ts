import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatewayModel, ListenerModel } from "../model/model.ts";
import { object, parent, rule } from "../testing/object-view.ts";
import { modelOf, service } from "../testing/sample-model.ts";
import type { AwsListener, AwsStack } from "./aws-stack.ts";
import { planListeners } from "./plan-listeners.ts";
import { plan } from "./plan.ts";
import type { Step } from "./step.ts";

const NETWORK = { vpcId: "vpc-1", subnets: ["subnet-a", "subnet-b"] };
const NOTHING: AwsStack = { loadBalancers: [], targetGroups: [] };
const exact = (path: string) => ({ path: { type: "Exact", value: path } });
const model = modelOf([
  service("web"),
  object("HTTPRoute", "web", {
    parentRefs: [parent()],
    rules: [rule([{ name: "web" }], [exact("/long"), exact("/b")])],
  }),
]);
const short = (steps: readonly Step[]): readonly string[] =>
  steps.map((step) => {
    if (step.do === "removeCertificate" || step.do === "addCertificate") return `${step.do} ${step.certificate}`;
    if (step.do === "createRule") return `${step.do} ${step.priority}`;
    if (step.do === "setRulePriorities") {
      return `${step.do} ${step.priorities.map(({ arn, priority }) => `${arn}=${priority}`).join(" ")}`;
    }
    return "arn" in step ? `${step.do} ${step.arn}` : step.do;
  });

test("targets are there before rules lead to them", () => {
  assert.deepEqual(short(plan(model, NOTHING, NETWORK)), [
    "createTargetGroup",
    "fillTargetGroup",
    "createLoadBalancer",
    "createListener",
    "createRule 1",
    "createRule 2",
  ]);
});

const secure: ListenerModel = {
  port: 443,
  protocol: "HTTPS",
  certificates: ["new", "kept", "added"],
  sslPolicy: "policy",
  mutualAuthentication: undefined,
  attributes: [],
  rules: [],
  tags: {},
};
const listening = (more: Partial<AwsListener> = {}): AwsListener => ({
  arn: "listener",
  shape: { Port: 443, Protocol: "HTTPS", SslPolicy: "policy", Certificates: [{ CertificateArn: "old" }] },
  extraCertificates: ["kept", "gone"],
  attributes: new Map(),
  rules: [],
  ...more,
});
const withListener = (listener: ListenerModel): GatewayModel => ({ ...model, listeners: [listener] });

test("of certificates the default one changes first, then one after the other goes, then comes", () => {
  assert.deepEqual(short(planListeners(withListener(secure), [listening()], () => "group")), [
    "modifyListener listener",
    "removeCertificate gone",
    "addCertificate added",
  ]);
  const same = { ...secure, certificates: ["old", "gone", "kept"] };
  assert.deepEqual(
    planListeners(withListener(same), [listening()], () => "group"),
    [],
  );
});

test("ports that nobody wants any more are closed first", () => {
  assert.deepEqual(short(planListeners({ ...model, listeners: [] }, [listening()], () => "group")), [
    "deleteListener listener",
  ]);
});

const rules = model.listeners[0]?.rules ?? [];
const actual = (arn: string, priority: number, conditions: readonly object[], group = "group") => ({
  arn,
  priority,
  shape: {
    Conditions: conditions,
    Actions: [
      {
        Type: "forward",
        TargetGroupArn: group,
        ForwardConfig: {
          TargetGroups: [{ TargetGroupArn: group, Weight: 1 }],
          TargetGroupStickinessConfig: { Enabled: false },
        },
      },
    ],
  },
});
const at = (...there: AwsListener["rules"]) => {
  const listener = listening({ shape: { Port: 80, Protocol: "HTTP" }, extraCertificates: [], rules: there });
  return short(planListeners(model, [listener], () => "group"));
};
const [long, b] = rules.map(({ conditions }) => conditions);
const other = [{ Field: "path-pattern", PathPatternConfig: { Values: ["/other"] } }];

test("rules that are as they should be stay, told either way", () => {
  assert.deepEqual(at(actual("one", 1, long ?? []), actual("two", 2, b ?? [])), []);
  const twice = { Field: "path-pattern", Values: ["/b"], PathPatternConfig: { Values: ["/b"] } };
  assert.deepEqual(at(actual("one", 1, long ?? []), actual("two", 2, [twice])), []);
});

test("rules change what they do in place, and change places all at once", () => {
  assert.deepEqual(at(actual("one", 1, long ?? [], "elsewhere"), actual("two", 2, b ?? [])), ["modifyRule one"]);
  assert.deepEqual(at(actual("one", 2, long ?? []), actual("two", 1, b ?? [])), ["setRulePriorities one=1 two=2"]);
});

test("new rules come before old ones go, which make way for them", () => {
  assert.deepEqual(at(actual("old", 1, other), actual("two", 2, b ?? [])), [
    "setRulePriorities old=40000",
    "createRule 1",
    "deleteRule old",
  ]);
  assert.deepEqual(at(actual("one", 1, long ?? []), actual("two", 2, b ?? []), actual("old", 3, other)), [
    "deleteRule old",
  ]);
});

test("where there is no room for both the old ones go first", () => {
  const many = Array.from({ length: 99 }, (_, index) =>
    actual(`old${index}`, index + 1, [{ Field: "path-pattern", PathPatternConfig: { Values: [`/${index}`] } }]),
  );
  const steps = at(...many);
  assert.deepEqual(steps.slice(0, 1), ["deleteRule old0"]);
  assert.deepEqual(steps.slice(-2), ["createRule 1", "createRule 2"]);
});
