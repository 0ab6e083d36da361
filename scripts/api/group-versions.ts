/** A generated file of types. */
export interface GroupVersionFile {
  /** What users import: `core` of `core.ConfigMap`. */
  readonly name: string;
  readonly file: string;
  /** The package of its definitions in the OpenAPI document. */
  readonly package: string;
  /** Definitions that have a type elsewhere. */
  readonly leaveOut?: ReadonlySet<string>;
}

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";

/** Of the vocabulary that all groups share: what objects of the groups below hold. The rest is hand-written in `kube`. */
const metaLeftOut = new Set(
  [
    "APIGroup",
    "APIGroupList",
    "APIResource",
    "APIResourceList",
    "APIVersions",
    "FieldsV1",
    "GroupVersionForDiscovery",
    "GroupResource",
    "ListMeta",
    "ManagedFieldsEntry",
    "ObjectMeta",
    "OwnerReference",
    "Patch",
    "ServerAddressByClientCIDR",
    "ShardInfo",
    "Status",
    "StatusCause",
    "StatusDetails",
    "WatchEvent",
  ].map((name) => `${meta}.${name}`),
);

/** The groups and versions that get types: the stable ones. */
export const groupVersions: readonly GroupVersionFile[] = [
  { name: "meta", file: "meta-v1.ts", package: meta, leaveOut: metaLeftOut },
  ...["admissionregistration", "apps", "authentication", "authorization", "batch", "certificates"].map(stable),
  ...["coordination", "core", "discovery", "events", "networking", "node", "policy", "rbac"].map(stable),
  ...["scheduling", "storage"].map(stable),
  { name: "autoscaling", file: "autoscaling-v2.ts", package: "io.k8s.api.autoscaling.v2" },
  { name: "autoscalingV1", file: "autoscaling-v1.ts", package: "io.k8s.api.autoscaling.v1" },
  {
    name: "apiextensions",
    file: "apiextensions-v1.ts",
    package: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
  },
  {
    name: "apiregistration",
    file: "apiregistration-v1.ts",
    package: "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
  },
];

function stable(name: string): GroupVersionFile {
  return { name, file: `${name}-v1.ts`, package: `io.k8s.api.${name}.v1` };
}
