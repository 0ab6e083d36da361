import { isObject } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { ECRRepository } from "@gatewright/resources";
import type { Field } from "../../engine/field.ts";
import { sameKey } from "../same-key.ts";
import { samePolicy } from "../same-policy.ts";
import type { Repository } from "./repository.ts";
import { sameLifecyclePolicy } from "./same-lifecycle-policy.ts";

type RepositoryField = Field<Immutable<ECRRepository["spec"]>, Repository>;

/** Said at creation. AWS names the key of its own where none was named, and the key behind an alias: where that led is not told. */
const encryption: RepositoryField = {
  path: "encryptionConfiguration",
  change: "replace",
  want: ({ encryptionConfiguration: wish }) => wish && { ...wish },
  have: ({ encryption: told }) => told,
  same: (want, have) =>
    isObject(want) &&
    isObject(have) &&
    want["encryptionType"] === have["encryptionType"] &&
    (want["kmsKey"] === undefined || isAlias(want["kmsKey"]) || sameKey(want["kmsKey"], have["kmsKey"])),
};

function isAlias(key: Json): boolean {
  return typeof key === "string" && /(^|:)alias\//.test(key);
}

/** The fields of a repository. */
export const REPOSITORY_FIELDS: readonly RepositoryField[] = [
  { path: "repositoryName", change: "replace", want: (spec) => spec.repositoryName, have: ({ name }) => name },
  {
    path: "imageTagMutability",
    change: "in-place",
    want: (spec) => spec.imageTagMutability,
    have: ({ mutability }) => mutability,
    unset: "MUTABLE",
  },
  {
    path: "imageTagMutabilityExclusionFilters",
    change: "in-place",
    want: ({ imageTagMutabilityExclusionFilters: filters }) => filters && [...filters].toSorted(),
    have: ({ exclusions }) => [...exclusions],
    unset: [],
  },
  {
    path: "scanOnPush",
    change: "in-place",
    want: (spec) => spec.scanOnPush,
    have: ({ scanOnPush }) => scanOnPush,
    unset: false,
  },
  encryption,
  {
    path: "lifecyclePolicy",
    change: "in-place",
    want: (spec) => spec.lifecyclePolicy?.policyText,
    have: ({ lifecyclePolicy }) => lifecyclePolicy,
    same: (want, have) => typeof have === "string" && sameLifecyclePolicy(String(want), have),
    unset: null,
  },
  {
    path: "repositoryPolicy",
    change: "in-place",
    want: (spec) => spec.repositoryPolicy?.policyText,
    have: ({ repositoryPolicy }) => repositoryPolicy,
    same: (want, have) => typeof have === "string" && samePolicy(String(want), have),
    unset: null,
  },
];
