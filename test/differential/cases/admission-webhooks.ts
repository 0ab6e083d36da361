import type { Case, Step, Topic } from "../case.ts";
import { configMaps, create, mergePatch, read, remove } from "../steps.ts";

const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1";
const VALIDATING = `${CONFIGURATIONS}/validatingwebhookconfigurations`;
const MUTATING = `${CONFIGURATIONS}/mutatingwebhookconfigurations`;

const webhook = (answer: string, more: object = {}): object => ({
  name: `${answer}.example.com`,
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { url: `{{webhook}}/${answer}`, caBundle: "{{ca}}" },
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{{ns}}" } },
  objectSelector: { matchExpressions: [{ key: "plain", operator: "DoesNotExist" }] },
  rules: [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE", "DELETE"], resources: ["configmaps"] },
  ],
  ...more,
});
/** Refuses a probe from the moment on that the real server has learnt of the configuration. */
const probe = webhook("deny", {
  name: "probe.example.com",
  objectSelector: { matchLabels: { probe: "yes" } },
});
const configured = (path: string, ...webhooks: readonly object[]): Step[] => [
  create(path, { metadata: { name: "{{ns}}" }, webhooks: [probe, ...webhooks] }, { quiet: true }),
  create(
    `${configMaps}?dryRun=All`,
    { metadata: { name: "probe", labels: { probe: "yes", plain: "yes" } } },
    { until: { status: 400 }, quiet: true },
  ),
];
const body = (name = "a"): object => ({ metadata: { name }, data: { a: "b" } });
const validating = (name: string, answer: string, more: object = {}): Case => ({
  name: `validating: ${name}`,
  steps: [...configured(VALIDATING, webhook(answer, more)), create(configMaps, body())],
});
const mutating = (name: string, answer: string, more: object = {}): Case => ({
  name: `mutating: ${name}`,
  steps: [...configured(MUTATING, webhook(answer, more)), create(configMaps, body())],
});
const refused = (name: string, ...webhooks: readonly object[]): Case => ({
  name: `configuration: ${name}`,
  steps: [create(VALIDATING, { metadata: { name: "{{ns}}" }, webhooks })],
});
const nowhere = { clientConfig: { url: "https://127.0.0.1:1/x", caBundle: "{{ca}}" } };

export const topic: Topic = {
  cases: [
    validating("allows", "allow"),
    validating("denies", "deny"),
    validating("denies with a message", "deny-message"),
    validating("denies with a code", "deny-code"),
    validating("denies with a reason", "deny-reason"),
    validating("warns", "warn"),
    validating("annotates", "annotate"),
    validating("answers with another uid", "wrong-uid"),
    validating("answers without a response", "no-response"),
    validating("answers with another kind", "wrong-kind"),
    validating("answers with text", "not-json"),
    validating("fails", "server-error"),
    validating("fails and is ignored", "server-error", { failurePolicy: "Ignore" }),
    validating("is not there", "allow", nowhere),
    validating("is not there and is ignored", "allow", { ...nowhere, failurePolicy: "Ignore" }),
    validating("patches", "add-data"),
    validating("has another authority", "allow", { clientConfig: { url: "{{webhook}}/allow" } }),
    validating("is not for this operation", "deny", {
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["configmaps"] }],
    }),
    validating("is for every resource", "deny", {
      rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"], scope: "Namespaced" }],
    }),
    validating("is not for this scope", "deny", {
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"], scope: "Cluster" }],
    }),
    validating("has a condition that holds", "deny", {
      matchConditions: [{ name: "a", expression: "object.metadata.name == 'a'" }],
    }),
    validating("has a condition that does not hold", "deny", {
      matchConditions: [{ name: "a", expression: "request.userInfo.username == 'x'" }],
    }),
    validating("has a condition that fails", "deny", {
      matchConditions: [{ name: "a", expression: "object.spec.nope == 1" }],
    }),
    validating("has a condition that fails and is ignored", "deny", {
      failurePolicy: "Ignore",
      matchConditions: [{ name: "a", expression: "object.spec.nope == 1" }],
    }),
    validating("two of them", "warn"),
    {
      name: "validating: is asked about changes and deletions",
      steps: [
        ...configured(VALIDATING, webhook("warn")),
        create(configMaps, body()),
        mergePatch(`${configMaps}/a`, { data: { a: "c" } }),
        mergePatch(`${configMaps}/a`, { data: { a: "c" } }),
        remove(`${configMaps}/a`),
      ],
    },
    {
      name: "validating: denies a deletion",
      steps: [
        create(configMaps, body(), { quiet: true }),
        ...configured(
          VALIDATING,
          webhook("deny-message", {
            rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["configmaps"] }],
          }),
        ),
        remove(`${configMaps}/a`),
        read(`${configMaps}/a`),
      ],
    },
    {
      name: "validating: is told of a dry run",
      steps: [...configured(VALIDATING, webhook("allow")), create(`${configMaps}?dryRun=All`, body())],
    },
    {
      name: "validating: a dry run with side effects",
      steps: [
        ...configured(VALIDATING, webhook("allow", { sideEffects: "NoneOnDryRun" })),
        create(`${configMaps}?dryRun=All`, body()),
      ],
    },
    {
      name: "validating: is told who asks",
      steps: [
        ...configured(VALIDATING, webhook("allow")),
        create(`${configMaps}?fieldManager=me`, body(), {
          as: "bob",
          headers: { "impersonate-group": "system:masters" },
        }),
      ],
    },
    mutating("patches", "add-data"),
    mutating("adds labels", "add-label"),
    mutating("allows", "allow"),
    mutating("denies", "deny-message"),
    mutating("adds an unknown field", "add-unknown"),
    mutating("makes it invalid", "add-invalid"),
    mutating("has a patch that fails", "failing-patch"),
    mutating("has a patch that is none", "bad-patch"),
    mutating("has a patch without a type", "patch-without-type"),
    mutating("fails", "server-error"),
    mutating("is invoked again", "add-label", { reinvocationPolicy: "IfNeeded" }),
    {
      name: "mutating: one after the other",
      steps: [
        ...configured(MUTATING, webhook("add-label", { reinvocationPolicy: "IfNeeded" }), webhook("add-data")),
        create(configMaps, body()),
      ],
    },
    {
      name: "mutating: comes before validating",
      steps: [
        create(MUTATING, { metadata: { name: "{{ns}}" }, webhooks: [webhook("add-data")] }, { quiet: true }),
        ...configured(VALIDATING, webhook("warn")),
        create(`${configMaps}?dryRun=All`, body("wait"), { until: { at: "data.added" }, quiet: true }),
        create(configMaps, body()),
      ],
    },
    {
      name: "mutating: a server-side apply",
      steps: [
        ...configured(MUTATING, webhook("add-data")),
        {
          method: "PATCH",
          path: `${configMaps}/a?fieldManager=m`,
          type: "application/apply-patch+yaml",
          body: { apiVersion: "v1", kind: "ConfigMap", ...body() },
        },
      ],
    },
    refused("without a name", webhook("allow", { name: "" })),
    refused("a name without a domain", webhook("allow", { name: "x" })),
    refused("two of one name", webhook("allow"), webhook("allow")),
    refused("without side effects", webhook("allow", { sideEffects: undefined })),
    refused("with side effects", webhook("allow", { sideEffects: "Some" })),
    refused("without versions", webhook("allow", { admissionReviewVersions: [] })),
    refused("of unknown versions", webhook("allow", { admissionReviewVersions: ["v9"] })),
    refused("without an address", webhook("allow", { clientConfig: {} })),
    refused(
      "with a URL and a service",
      webhook("allow", { clientConfig: { url: "https://x/y", service: { name: "a", namespace: "b" } } }),
    ),
    refused("without TLS", webhook("allow", { clientConfig: { url: "http://127.0.0.1/x" } })),
    refused("with a query", webhook("allow", { clientConfig: { url: "https://127.0.0.1/x?y=z" } })),
    refused("a time-out that is too long", webhook("allow", { timeoutSeconds: 31 })),
    refused("a policy that is none", webhook("allow", { failurePolicy: "Shrug", matchPolicy: "Roughly" })),
    refused(
      "rules that are not valid",
      webhook("allow", {
        rules: [{ apiGroups: [], apiVersions: ["*", "v1"], operations: ["GET"], resources: ["*", "pods"] }],
      }),
    ),
    refused(
      "a condition that does not parse",
      webhook("allow", { matchConditions: [{ name: "a", expression: "object ==" }] }),
    ),
    refused("a condition that is no truth", webhook("allow", { matchConditions: [{ name: "a", expression: "'x'" }] })),
    refused(
      "a selector that is not valid",
      webhook("allow", { namespaceSelector: { matchExpressions: [{ key: "a", operator: "Like" }] } }),
    ),
  ],
};
