import type { Operations, Tag } from "@gatewright/aws-wire/types/acm";
import type { Handlers } from "../service.ts";
import type { TaggedResources } from "../neighbours.ts";
import { certificatePrefix } from "./arn.ts";
import type { CertificateRecord } from "./records.ts";
import type { AcmStore } from "./store.ts";
import { withoutTags, withTags } from "./tag-rules.ts";

/** Tags of certificates. The operations for resources of any kind do the same: certificates are the only kind here. */
export function tagOperations(store: AcmStore): Handlers<Operations> {
  const change = async (record: CertificateRecord, tags: CertificateRecord["tags"]): Promise<object> => {
    await store.commit((commit) => commit.put(store.certificates, record.arn, { ...record, tags }));
    return {};
  };
  const told = ({ tags }: CertificateRecord): { readonly Tags: readonly Tag[] } => ({
    Tags: tags.map(([Key, Value]) => ({ Key, Value })),
  });
  return {
    AddTagsToCertificate: ({ CertificateArn, Tags }, context) => {
      const record = store.certificate(context, CertificateArn);
      return change(record, withTags(record.tags, Tags));
    },
    RemoveTagsFromCertificate: ({ CertificateArn, Tags }, context) => {
      const record = store.certificate(context, CertificateArn);
      return change(record, withoutTags(record.tags, Tags));
    },
    ListTagsForCertificate: ({ CertificateArn }, context) => told(store.certificate(context, CertificateArn)),
    TagResource: ({ ResourceArn, Tags }, context) => {
      const record = store.certificate(context, ResourceArn, "resourceArn");
      return change(record, withTags(record.tags, Tags));
    },
    UntagResource: ({ ResourceArn, TagKeys }, context) => {
      const record = store.certificate(context, ResourceArn, "resourceArn");
      return change(
        record,
        withoutTags(
          record.tags,
          TagKeys.map((Key) => ({ Key })),
        ),
      );
    },
    ListTagsForResource: ({ ResourceArn }, context) => told(store.certificate(context, ResourceArn, "resourceArn")),
  };
}

/** Certificates for the tagging API. */
export function taggedCertificates(store: AcmStore): TaggedResources {
  const change = async (
    arn: string,
    next: (tags: CertificateRecord["tags"]) => CertificateRecord["tags"],
  ): Promise<boolean> => {
    const record = store.certificates.get(arn);
    if (record === undefined) return false;
    const tags = next(record.tags);
    await store.commit((commit) => commit.put(store.certificates, arn, { ...record, tags }));
    return true;
  };
  return {
    *list(account, region) {
      for (const [arn, { tags }] of store.certificates.scan(certificatePrefix({ account, region })))
        yield { arn, tags: new Map(tags) };
    },
    tag: (arn, tags) =>
      change(arn, (before) =>
        withTags(
          before,
          [...tags].map(([Key, Value]) => ({ Key, Value })),
        ),
      ),
    untag: (arn, keys) =>
      change(arn, (before) =>
        withoutTags(
          before,
          keys.map((Key) => ({ Key })),
        ),
      ),
  };
}
