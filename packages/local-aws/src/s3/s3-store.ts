import { partitionOf, PARTITIONS } from "../partition.ts";
import type { Commit, Records, State } from "../state/state.ts";
import type { BucketRecord, KeyRecord, PartRecord, UploadRecord } from "./records.ts";

/** What S3 remembers. Neither names of buckets nor upload ids contain a slash, which is what keys are put together with. */
export class S3Store {
  readonly buckets: Records<BucketRecord>;
  /** When the bucket of a name was deleted. */
  readonly deletions: Records<number>;
  readonly #keys: Records<KeyRecord>;
  readonly #uploads: Records<UploadRecord>;
  readonly #parts: Records<PartRecord>;
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
    this.buckets = state.records("s3/buckets");
    this.deletions = state.records("s3/deletions");
    this.#keys = state.records("s3/keys");
    this.#uploads = state.records("s3/uploads");
    this.#parts = state.records("s3/parts");
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    return this.#state.commit(change);
  }

  /** Names are unique in a partition, whoever owns the bucket. */
  bucket(region: string, name: string): BucketRecord | undefined {
    return this.buckets.get(`${partitionOf(region)}/${name}`);
  }

  /** The bucket of a name for those who have not said which region they mean. */
  bucketNamed(name: string): BucketRecord | undefined {
    return PARTITIONS.map((partition) => this.buckets.get(`${partition}/${name}`)).find((found) => found !== undefined);
  }

  bucketsOf(account: string, region: string): readonly BucketRecord[] {
    return this.buckets
      .list(`${partitionOf(region)}/`)
      .map(([, bucket]) => bucket)
      .filter((bucket) => bucket.account === account);
  }

  /** Changes a bucket's configuration. */
  configure(bucket: BucketRecord, change: Partial<BucketRecord>): Promise<void> {
    return this.commit((commit) => commit.put(this.buckets, bucketKey(bucket), { ...bucket, ...change }));
  }

  key(bucket: BucketRecord, key: string): KeyRecord | undefined {
    return this.#keys.get(`${bucketKey(bucket)}/${key}`);
  }

  /** Keys with the prefix in the order of their bytes, from `start` on. */
  *keys(bucket: BucketRecord, prefix: string, start = prefix): Iterable<KeyRecord> {
    const base = `${bucketKey(bucket)}/`;
    for (const [, record] of this.#keys.scan(base + prefix, base + start)) yield record;
  }

  /** Without versions the key goes. */
  putKey(commit: Commit, bucket: BucketRecord, { key, versions }: KeyRecord): void {
    const at = `${bucketKey(bucket)}/${key}`;
    if (versions.length === 0) commit.delete(this.#keys, at);
    else commit.put(this.#keys, at, { key, versions });
  }

  /** Ids of all blobs that some object or part is made of. */
  usedBlobs(): ReadonlySet<string> {
    const objects = this.#keys
      .list()
      .flatMap(([, { versions }]) => versions.flatMap((version) => (version.kind === "object" ? version.pieces : [])));
    const parts = this.#parts.list().map(([, { piece }]) => piece);
    return new Set([...objects, ...parts].map(({ blob }) => blob));
  }

  upload(bucket: BucketRecord, id: string): UploadRecord | undefined {
    return this.#uploads.get(`${bucketKey(bucket)}/${id}`);
  }

  uploads(bucket: BucketRecord): readonly UploadRecord[] {
    return this.#uploads.list(`${bucketKey(bucket)}/`).map(([, upload]) => upload);
  }

  putUpload(commit: Commit, bucket: BucketRecord, upload: UploadRecord): void {
    commit.put(this.#uploads, `${bucketKey(bucket)}/${upload.id}`, upload);
  }

  part(bucket: BucketRecord, upload: UploadRecord, number: number): PartRecord | undefined {
    return this.#parts.get(partKey(bucket, upload, number));
  }

  /** By their numbers. */
  parts(bucket: BucketRecord, upload: UploadRecord): readonly PartRecord[] {
    return this.#parts.list(`${bucketKey(bucket)}/${upload.id}/`).map(([, part]) => part);
  }

  putPart(commit: Commit, bucket: BucketRecord, upload: UploadRecord, part: PartRecord): void {
    commit.put(this.#parts, partKey(bucket, upload, part.number), part);
  }

  /** The upload with its parts; the bytes of the parts stay. */
  deleteUpload(commit: Commit, bucket: BucketRecord, upload: UploadRecord): void {
    commit.delete(this.#uploads, `${bucketKey(bucket)}/${upload.id}`);
    for (const { number } of this.parts(bucket, upload)) commit.delete(this.#parts, partKey(bucket, upload, number));
  }
}

export function bucketKey({ region, name }: BucketRecord): string {
  return `${partitionOf(region)}/${name}`;
}

function partKey(bucket: BucketRecord, upload: UploadRecord, number: number): string {
  return `${bucketKey(bucket)}/${upload.id}/${String(number).padStart(5, "0")}`;
}
