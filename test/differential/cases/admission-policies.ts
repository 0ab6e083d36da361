import type { Case, Step, Topic } from "../case.ts";
import { configMaps, create, mergePatch, remove } from "../steps.ts";

const BASE = "/apis/admissionregistration.k8s.io/v1";
const POLICIES = `${BASE}/validatingadmissionpolicies`;
const BINDINGS = `${BASE}/validatingadmissionpolicybindings`;
const constraints = {
  resourceRules: [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE", "DELETE"], resources: ["configmaps"] },
  ],
};
const PROBE = { expression: "object == null || object.metadata.name != 'probe'", message: "probe" };
const policy = (spec: object): object => ({
  metadata: { name: "{{ns}}" },
  spec: { matchConstraints: constraints, ...spec },
});
const binding = (spec: object = {}): object => ({
  metadata: { name: "{{ns}}" },
  spec: {
    policyName: "{{ns}}",
    validationActions: ["Deny"],
    matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{{ns}}" } } },
    ...spec,
  },
});
/** Holds from the moment on that a probe is refused. */
const holding = (spec: { readonly validations?: readonly object[] }, bound: object = {}): Step[] => [
  create(POLICIES, policy({ ...spec, validations: [PROBE, ...(spec.validations ?? [])] }), { quiet: true }),
  create(BINDINGS, binding(bound), { quiet: true }),
  create(`${configMaps}?dryRun=All`, { metadata: { name: "probe" } }, { until: { status: 422 }, quiet: true }),
];
const judged = (name: string, validation: object, more: object = {}): Case => ({
  name,
  steps: [
    ...holding({ validations: [validation], ...more }),
    create(configMaps, { metadata: { name: "a", labels: { x: "y" } }, data: { a: "b" } }),
  ],
});
const refused = (name: string, spec: object): Case => ({
  name: `policy: ${name}`,
  steps: [create(POLICIES, policy(spec))],
});
const refusedBinding = (name: string, spec: object): Case => ({
  name: `binding: ${name}`,
  steps: [create(BINDINGS, binding(spec))],
});

export const topic: Topic = {
  cases: [
    judged("allows", { expression: "object.data.a == 'b'" }),
    judged("denies", { expression: "object.data.a == 'c'" }),
    judged("denies with a message", { expression: "false", message: "never" }),
    judged("denies with a computed message", {
      expression: "false",
      messageExpression: "'not ' + object.metadata.name",
    }),
    judged("denies with a reason", { expression: "false", reason: "Forbidden", message: "no" }),
    judged("an expression that fails", { expression: "object.data.nope == 'x'" }),
    judged(
      "an expression that fails and is ignored",
      { expression: "object.data.nope == 'x'" },
      { failurePolicy: "Ignore" },
    ),
    judged("a message that fails", { expression: "false", messageExpression: "object.data.nope" }),
    judged(
      "a condition that does not hold",
      { expression: "false" },
      { matchConditions: [{ name: "a", expression: "!has(object.metadata.labels)" }] },
    ),
    judged(
      "variables",
      { expression: "variables.value == 'c'", messageExpression: "'it is ' + variables.value" },
      { variables: [{ name: "value", expression: "object.data.a" }] },
    ),
    judged("the request", {
      expression:
        "request.operation == 'CREATE' && request.namespace == '{{ns}}' && request.userInfo.username == 'bob'",
      message: "request",
    }),
    judged("the namespace", { expression: "namespaceObject.metadata.name == 'x'", message: "namespace" }),
    judged("the authorizer", {
      expression: "authorizer.group('').resource('pods').namespace('default').check('get').allowed() == false",
      message: "authorizer",
    }),
    judged("what was there before", { expression: "oldObject == null", message: "before" }),
    judged("a regex", { expression: "object.metadata.name.matches('^b')", message: "regex" }),
    {
      name: "several that do not hold",
      steps: [
        ...holding({
          validations: [
            { expression: "false", message: "one" },
            { expression: "false", message: "two" },
          ],
        }),
        create(configMaps, { metadata: { name: "a" } }),
      ],
    },
    {
      name: "a warning besides a refusal",
      steps: [
        create(
          BINDINGS,
          { ...binding({ validationActions: ["Warn"] }), metadata: { name: "{{ns}}-warn" } },
          { quiet: true },
        ),
        ...holding({
          validations: [{ expression: "object == null || object.metadata.name != 'a'", message: "mind" }],
        }),
        create(configMaps, { metadata: { name: "a" } }),
      ],
    },
    {
      name: "a change",
      steps: [
        create(configMaps, { metadata: { name: "a" }, data: { a: "1" } }, { quiet: true }),
        ...holding({
          validations: [
            {
              expression: "oldObject == null || object == null || object.data == oldObject.data",
              message: "data is fixed",
            },
          ],
        }),
        mergePatch(`${configMaps}/a`, { data: { a: "2" } }),
        mergePatch(`${configMaps}/a`, { metadata: { labels: { a: "b" } } }),
      ],
    },
    {
      name: "a deletion",
      steps: [
        create(configMaps, { metadata: { name: "a" } }, { quiet: true }),
        ...holding({ validations: [{ expression: "request.operation != 'DELETE'", message: "stays" }] }),
        remove(`${configMaps}/a`),
      ],
    },
    refused("nothing to check", { validations: [] }),
    refused("an expression that does not parse", { validations: [{ expression: "object ==" }] }),
    refused("an expression that is no truth", { validations: [{ expression: "1" }] }),
    refused("an unknown variable", { validations: [{ expression: "nothing == 1" }] }),
    refused("a message with a line break", { validations: [{ expression: "true", message: "a\nb" }] }),
    refused("a reason that is none", { validations: [{ expression: "true", reason: "Mood" }] }),
    refused("a message expression that is no string", {
      validations: [{ expression: "true", messageExpression: "1" }],
    }),
    refused("without constraints", { validations: [{ expression: "true" }], matchConstraints: undefined }),
    refused("without rules", { validations: [{ expression: "true" }], matchConstraints: { resourceRules: [] } }),
    refused("a failure policy that is none", { validations: [{ expression: "true" }], failurePolicy: "Shrug" }),
    refused("variables of one name", {
      validations: [{ expression: "true" }],
      variables: [
        { name: "a", expression: "1" },
        { name: "a", expression: "2" },
      ],
    }),
    refused("a variable whose name is not valid", {
      validations: [{ expression: "true" }],
      variables: [{ name: "a-b", expression: "1" }],
    }),
    refused("a kind of parameters that is not complete", {
      validations: [{ expression: "true" }],
      paramKind: { kind: "X" },
    }),
    refused("an annotation that is not valid", {
      validations: [{ expression: "true" }],
      auditAnnotations: [{ key: "a b", valueExpression: "1" }],
    }),
    refused("defaults", { validations: [{ expression: "true" }] }),
    refusedBinding("without a policy", { policyName: "" }),
    refusedBinding("without actions", { validationActions: [] }),
    refusedBinding("actions that exclude one another", { validationActions: ["Deny", "Warn"] }),
    refusedBinding("an action that is none", { validationActions: ["Shout"] }),
    refusedBinding("defaults", { matchResources: undefined, paramRef: { name: "p", parameterNotFoundAction: "Deny" } }),
    refusedBinding("parameters by name and selector", {
      paramRef: { name: "p", selector: {}, parameterNotFoundAction: "Deny" },
    }),
  ],
};
