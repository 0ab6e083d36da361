import { deepEqual } from "@gatewright/kube";
import type { Step, Writing } from "./change.ts";
import { publicAccessSteps } from "./sections/public-access.ts";
import type { Block } from "./sections/public-access.ts";

const NO_ACLS = "BucketOwnerEnforced";

/** ACLs come to be possible and ways in are opened, before anything is written that needs them. */
export const openAccess: Step = async (writing) => {
  const ownership = writing.change.fields.get("objectOwnership");
  if (typeof ownership === "string" && ownership !== NO_ACLS) await putOwnership(writing, ownership);
  if (!writing.differs("publicAccessBlock")) return;
  const { now, opened } = publicAccessSteps(writing.seen.publicAccessBlock, writing.change.fields);
  await putBlock(writing, now, opened);
};

/** What was opened for the last policy or ACL is shut once the new one is in place. */
export const closeAccess: Step = async (writing) => {
  const ownership = writing.change.fields.get("objectOwnership");
  if (ownership === NO_ACLS) await putOwnership(writing, ownership);
  if (!writing.differs("publicAccessBlock")) return;
  const { opened, final } = publicAccessSteps(writing.seen.publicAccessBlock, writing.change.fields);
  await putBlock(writing, opened, final);
};

export const writePolicy: Step = async ({ s3, target, options, change, differs }) => {
  if (!differs("policy")) return;
  const policy = change.fields.get("policy");
  if (typeof policy === "string") await s3.putBucketPolicy({ ...target, Policy: policy }, options);
  else await s3.deleteBucketPolicy(target, options);
};

export const writeAcl: Step = async ({ s3, target, options, change }) => {
  const acl = change.fields.get("acl");
  if (typeof acl === "string") await s3.putBucketAcl({ ...target, ACL: acl }, options);
};

async function putOwnership({ s3, target, options }: Writing, ownership: string): Promise<void> {
  await s3.putBucketOwnershipControls(
    { ...target, OwnershipControls: { Rules: [{ ObjectOwnership: ownership }] } },
    options,
  );
}

async function putBlock({ s3, target, options }: Writing, from: Block, to: Block): Promise<void> {
  if (deepEqual(from, to)) return;
  await s3.putPublicAccessBlock({ ...target, PublicAccessBlockConfiguration: to }, options);
}
