import type { s3 } from "@gatewright/aws";
import { setOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

/** Which objects a rule is for, as specs say it. */
export interface RuleScope {
  readonly prefix?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly objectSizeGreaterThan?: number;
  readonly objectSizeLessThan?: number;
}

interface Filter {
  readonly Prefix?: string | undefined;
  readonly Tag?: s3.Tag | undefined;
  readonly ObjectSizeGreaterThan?: number | undefined;
  readonly ObjectSizeLessThan?: number | undefined;
  readonly And?: (Omit<Filter, "Tag" | "And"> & { readonly Tags?: readonly s3.Tag[] | undefined }) | undefined;
}

/** S3 wants one thing by itself, several below `And`, and none as the empty prefix. */
export function filterOf(scope: RuleScope): Filter {
  const tags = Object.entries(scope.tags ?? {}).map(([Key, Value]) => ({ Key, Value }));
  const others = {
    ...(scope.prefix !== undefined && scope.prefix !== "" && { Prefix: scope.prefix }),
    ...(scope.objectSizeGreaterThan !== undefined && { ObjectSizeGreaterThan: scope.objectSizeGreaterThan }),
    ...(scope.objectSizeLessThan !== undefined && { ObjectSizeLessThan: scope.objectSizeLessThan }),
  };
  const count = tags.length + Object.keys(others).length;
  if (count === 0) return { Prefix: "" };
  if (count > 1) return { And: { ...others, ...(tags.length > 0 && { Tags: tags }) } };
  const [tag] = tags;
  return tag === undefined ? others : { Tag: tag };
}

/** The same as members of a rule. `prefix`: where older rules have it. */
export function scopeOf(filter: Filter = {}, prefix?: string): Readonly<Record<string, Json | undefined>> {
  const { And: and, Tag: tag } = filter;
  const tags: JsonObject = {};
  for (const { Key, Value } of [...(and?.Tags ?? []), ...(tag ? [tag] : [])]) setOwn(tags, Key, Value);
  return {
    prefix: (prefix ?? and?.Prefix ?? filter.Prefix) || undefined,
    tags,
    objectSizeGreaterThan: and?.ObjectSizeGreaterThan ?? filter.ObjectSizeGreaterThan,
    objectSizeLessThan: and?.ObjectSizeLessThan ?? filter.ObjectSizeLessThan,
  };
}
