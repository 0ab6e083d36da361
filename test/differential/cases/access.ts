import type { Case, Step, Topic } from "../case.ts";
import { configMaps, create, inNamespace, mergePatch, read, remove, replace, watch } from "../steps.ts";

const roles = inNamespace("rbac.authorization.k8s.io/v1", "roles");
const bindings = inNamespace("rbac.authorization.k8s.io/v1", "rolebindings");
const CLUSTER_ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const CLUSTER_BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
const bob = { as: "bob-of-{{ns}}" };
const subject = { kind: "User", name: "bob-of-{{ns}}", apiGroup: "rbac.authorization.k8s.io" };
const granting = (...rules: readonly object[]): Step[] => [
  create(roles, { metadata: { name: "r" }, rules }, { quiet: true }),
  create(
    bindings,
    {
      metadata: { name: "b" },
      subjects: [subject],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
    },
    { quiet: true },
  ),
];
const reads = { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] };
/** The real server learns of roles a moment after their write is answered. */
const allowed = read(configMaps, { ...bob, until: { status: 200 }, quiet: true });
const refusedTo = (name: string, ...steps: readonly Step[]): Case => ({ name, steps });
const review = (kind: string, spec: object): Step => create(`/apis/authorization.k8s.io/v1/${kind}`, { spec });

export const topic: Topic = {
  cases: [
    refusedTo("a list", read("/api/v1/namespaces/default/pods", { by: "alice" })),
    refusedTo("an object", read("/api/v1/namespaces/default/pods/x", { by: "alice" })),
    refusedTo("all namespaces", read("/apis/apps/v1/deployments", { by: "alice" })),
    refusedTo("a cluster-scoped object", read("/api/v1/nodes/x", { by: "alice" })),
    refusedTo("a subresource", read("/api/v1/namespaces/default/pods/x/status", { by: "alice" })),
    refusedTo("a creation", create("/api/v1/namespaces/default/pods", {}, { by: "alice" })),
    refusedTo("a change", mergePatch("/api/v1/namespaces/default/pods/x", {}, { by: "alice" })),
    refusedTo("a deletion", remove("/api/v1/namespaces/default/pods/x", undefined, { by: "alice" })),
    refusedTo("a collection to delete", remove("/api/v1/namespaces/default/pods", undefined, { by: "alice" })),
    refusedTo("a watch", read("/api/v1/pods?watch=1", { by: "alice" })),
    refusedTo("a custom path", read("/foo", { by: "alice" }), read("/metrics", { by: "alice" })),
    refusedTo(
      "an unknown resource",
      read("/api/v1/namespaces/default/nothings", { by: "alice" }),
      read("/apis/nope/v1/x", { by: "alice" }),
    ),
    refusedTo(
      "paths that everybody may read",
      read("/healthz", { by: "alice" }),
      read("/api", { by: "alice", quiet: true }),
      read("/apis/apps/v1", { by: "alice" }),
    ),
    refusedTo("nobody: a list", read("/api/v1/pods", { by: "nobody" })),
    refusedTo(
      "nobody: health",
      read("/livez", { by: "nobody" }),
      read("/readyz", { by: "nobody" }),
      read("/apis", { by: "nobody" }),
    ),
    refusedTo(
      "a token that is none",
      read("/api/v1/pods", { by: "nobody", headers: { authorization: "Bearer wrong" } }),
    ),
    refusedTo(
      "an authorization that is none",
      read("/api/v1/pods", { by: "nobody", headers: { authorization: "Basic eDp5" } }),
    ),
    refusedTo("impersonation by alice", read("/api/v1/pods", { by: "alice", as: "bob" })),
    refusedTo(
      "impersonation of a group by alice",
      read("/api/v1/pods", { by: "alice", as: "alice", headers: { "impersonate-group": "system:masters" } }),
    ),
    refusedTo(
      "impersonation of a group without a user",
      read("/api/v1/pods", { headers: { "impersonate-group": "x" } }),
    ),
    refusedTo(
      "impersonation of a service account",
      read("/api/v1/namespaces/default/pods", { as: "system:serviceaccount:default:default" }),
    ),
    refusedTo(
      "impersonation of masters",
      read("/api/v1/namespaces/default/pods/x", { as: "bob", headers: { "impersonate-group": "system:masters" } }),
    ),
    {
      name: "who am I",
      steps: [
        create("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}),
        create("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, { by: "alice" }),
        create(
          "/apis/authentication.k8s.io/v1/selfsubjectreviews",
          {},
          { as: "bob", headers: { "impersonate-extra-team": "x" } },
        ),
        create("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, { by: "nobody" }),
      ],
    },
    {
      name: "a role lets read",
      steps: [
        ...granting(reads),
        allowed,
        read(`${configMaps}?fieldSelector=metadata.name=x`, bob),
        read(`${configMaps}/x`, bob),
        create(configMaps, { metadata: { name: "x" } }, bob),
        read("/api/v1/configmaps", bob),
      ],
    },
    {
      name: "a role for one name",
      steps: [
        ...granting({ ...reads, resourceNames: ["a"] }),
        read(`${configMaps}/a`, { ...bob, until: { status: 404 } }),
        read(`${configMaps}/b`, bob),
        read(configMaps, bob),
        read(`${configMaps}?fieldSelector=metadata.name=a`, bob),
      ],
    },
    {
      name: "a role for a subresource",
      steps: [
        ...granting({ apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["get"] }),
        read(`${inNamespace("apps/v1", "deployments")}/a/scale`, { ...bob, until: { status: 404 } }),
        read(`${inNamespace("apps/v1", "deployments")}/a`, bob),
      ],
    },
    {
      name: "a role for everything",
      steps: [
        ...granting({ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }),
        read(`${inNamespace("apps/v1", "deployments")}/a`, { ...bob, until: { status: 404 } }),
        create(configMaps, { metadata: { name: "a" } }, bob),
        read("/api/v1/nodes", bob),
      ],
    },
    {
      name: "a watch by a role",
      steps: [
        ...granting(reads),
        allowed,
        watch(`${configMaps}?labelSelector=x`, 1, bob),
        create(configMaps, { metadata: { name: "w", labels: { x: "y" } } }, { quiet: true }),
      ],
    },
    {
      name: "a role cannot be given more than one has",
      steps: [
        ...granting(reads, { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles"], verbs: ["create"] }),
        allowed,
        create(
          roles,
          { metadata: { name: "more" }, rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }] },
          bob,
        ),
        create(roles, { metadata: { name: "same" }, rules: [reads] }, bob),
      ],
    },
    {
      name: "a binding cannot give more than one has",
      steps: [
        ...granting(reads, {
          apiGroups: ["rbac.authorization.k8s.io"],
          resources: ["rolebindings"],
          verbs: ["create"],
        }),
        allowed,
        create(
          bindings,
          {
            metadata: { name: "more" },
            subjects: [subject],
            roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
          },
          bob,
        ),
      ],
    },
    {
      name: "a roleRef cannot be changed",
      steps: [
        ...granting(reads),
        replace(`${bindings}/b`, {
          metadata: { name: "b" },
          subjects: [subject],
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "other" },
        }),
      ],
    },
    {
      name: "roles that are not valid",
      steps: [
        create(roles, { metadata: { name: "r" }, rules: [{}] }),
        create(roles, { metadata: { name: "r" }, rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] }),
        create(CLUSTER_ROLES, {
          metadata: { name: "{{ns}}" },
          rules: [{ nonResourceURLs: ["/x"], apiGroups: [""], resources: ["x"], verbs: ["get"] }],
        }),
      ],
    },
    {
      name: "bindings that are not valid",
      steps: [
        create(bindings, { metadata: { name: "b" } }),
        create(bindings, {
          metadata: { name: "b" },
          roleRef: { kind: "Pod", name: "x" },
          subjects: [{ kind: "Robot", name: "" }],
        }),
        create(CLUSTER_BINDINGS, {
          metadata: { name: "{{ns}}" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "x" },
          subjects: [{ kind: "ServiceAccount", name: "x" }],
        }),
      ],
    },
    {
      name: "a cluster role of parts",
      steps: [
        create(
          CLUSTER_ROLES,
          { metadata: { name: "{{ns}}-part", labels: { "part-of": "{{ns}}" } }, rules: [reads] },
          { quiet: true },
        ),
        create(
          CLUSTER_ROLES,
          {
            metadata: { name: "{{ns}}" },
            aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "part-of": "{{ns}}" } }] },
          },
          { quiet: true },
        ),
      ],
    },
    {
      name: "a default role",
      steps: [
        read(`${CLUSTER_ROLES}/cluster-admin`),
        read(`${CLUSTER_ROLES}/system:discovery`),
        read(`${CLUSTER_BINDINGS}/cluster-admin`),
      ],
    },
    {
      name: "may I",
      steps: [
        review("selfsubjectaccessreviews", { resourceAttributes: { verb: "get", resource: "pods" } }),
        review("selfsubjectaccessreviews", { nonResourceAttributes: { verb: "get", path: "/metrics" } }),
        review("selfsubjectaccessreviews", {}),
        review("selfsubjectaccessreviews", { resourceAttributes: {}, nonResourceAttributes: {} }),
      ],
    },
    {
      name: "may bob",
      steps: [
        review("subjectaccessreviews", { user: "bob", resourceAttributes: { verb: "get", resource: "pods" } }),
        review("subjectaccessreviews", {
          user: "bob",
          groups: ["system:masters"],
          resourceAttributes: { verb: "get", resource: "pods" },
        }),
        review("subjectaccessreviews", { resourceAttributes: { verb: "get", resource: "pods" } }),
      ],
    },
    {
      name: "may alice, asked by alice",
      steps: [
        create(
          "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
          { spec: { resourceAttributes: { verb: "get", resource: "pods" } } },
          { by: "alice" },
        ),
        create(
          "/apis/authorization.k8s.io/v1/subjectaccessreviews",
          { spec: { user: "alice", resourceAttributes: { verb: "get" } } },
          { by: "alice" },
        ),
      ],
    },
    {
      name: "may bob in a namespace",
      steps: [
        ...granting(reads),
        allowed,
        create(inNamespace("authorization.k8s.io/v1", "localsubjectaccessreviews"), {
          metadata: { namespace: "{{ns}}" },
          spec: {
            user: "bob-of-{{ns}}",
            resourceAttributes: { namespace: "{{ns}}", verb: "get", resource: "configmaps" },
          },
        }),
        create(inNamespace("authorization.k8s.io/v1", "localsubjectaccessreviews"), {
          metadata: { namespace: "{{ns}}" },
          spec: { user: "bob", resourceAttributes: { namespace: "other", verb: "get", resource: "configmaps" } },
        }),
      ],
    },
    {
      name: "what may bob do",
      steps: [
        ...granting(reads),
        allowed,
        create("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", { spec: { namespace: "{{ns}}" } }, bob),
        create("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", { spec: {} }, bob),
      ],
    },
    {
      name: "a token review",
      steps: [
        create("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "wrong" } }),
        create("/apis/authentication.k8s.io/v1/tokenreviews", { spec: {} }),
      ],
    },
    {
      name: "a service account's token",
      steps: [
        create(
          `${inNamespace("v1", "serviceaccounts")}/default/token`,
          { spec: { expirationSeconds: 600 } },
          { quiet: true, save: { token: "status.token" } },
        ),
        create("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "{{token}}", audiences: ["other"] } }),
        create(`${inNamespace("v1", "serviceaccounts")}/default/token`, { spec: { expirationSeconds: 5 } }),
        create(`${inNamespace("v1", "serviceaccounts")}/nope/token`, { spec: {} }),
      ],
    },
  ],
};
