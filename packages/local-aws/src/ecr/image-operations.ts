import { hash } from "node:crypto";
import type { ImageFailure, ImageIdentifier, Operations } from "@gatewright/aws-wire/types/ecr";
import { AwsError } from "../aws-error.ts";
import { isJsonObject } from "../is-json-object.ts";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { page } from "./page.ts";
import type { ImageRecord, RepositoryRecord } from "./records.ts";
import { invalidParameter } from "./refusals.ts";
import type { EcrStore } from "./store.ts";
import { isFixed } from "./tag-mutability.ts";

const USUAL_TYPE = "application/vnd.docker.distribution.manifest.v2+json";

/** Images by their manifests, so far that repositories are empty or not and tags are on them. Layers are not asked for. */
export function imageOperations({ clock }: AwsWorld, store: EcrStore): Handlers<Operations> {
  return {
    PutImage: async (input, context) => {
      const repository = store.repository(context, input);
      const { imageManifest: manifest, imageTag: tag } = input;
      if (!isJsonObject(manifest)) throw invalidParameter("ImageManifest", "Invalid JSON syntax");
      const digest = `sha256:${hash("sha256", manifest)}`;
      if (input.imageDigest !== undefined && input.imageDigest !== digest) {
        throw new AwsError("ImageDigestDoesNotMatchException", `The image has the digest '${digest}'.`);
      }
      const images = store.imagesOf(repository);
      const same = images.find((image) => image.digest === digest);
      if (same !== undefined && (tag === undefined || same.tags.includes(tag))) {
        throw new AwsError(
          "ImageAlreadyExistsException",
          `Image with digest '${digest}' and tag '${tag ?? "null"}' already exists in the repository with name '${repository.name}' in registry with id '${repository.account}'`,
        );
      }
      const holder = tag === undefined ? undefined : images.find(({ tags }) => tags.includes(tag));
      if (tag !== undefined && holder !== undefined && isFixed(repository, tag)) {
        throw new AwsError(
          "ImageTagAlreadyExistsException",
          `The image tag '${tag}' already exists in the '${repository.name}' repository and cannot be overwritten because the tag is immutable.`,
        );
      }
      const mediaType = input.imageManifestMediaType ?? typeIn(manifest);
      const image = same ?? { digest, manifest, mediaType, pushedAt: clock.now(), tags: [] };
      await store.commit((commit) => {
        if (holder !== undefined) store.putImage(commit, repository, withoutTag(holder, tag));
        store.putImage(commit, repository, { ...image, tags: tag === undefined ? image.tags : [...image.tags, tag] });
      });
      return { image: imageTold(repository, image, tag) };
    },

    ListImages: (input, context) => {
      const ids = store.imagesOf(store.repository(context, input)).flatMap(idsOf);
      const { items, next } = page(ids.filter(ofStatus(input.filter?.tagStatus)), idKey, input);
      return { imageIds: items, nextToken: next };
    },

    DescribeImages: (input, context) => {
      const repository = store.repository(context, input);
      const images = store.imagesOf(repository);
      const wanted = input.imageIds?.map((id) => {
        const found = images.find((image) => isMeant(image, id));
        if (found === undefined) {
          throw new AwsError(
            "ImageNotFoundException",
            `The image with imageId {imageDigest:'${id.imageDigest ?? "null"}', imageTag:'${id.imageTag ?? "null"}'} does not exist within the repository with name '${repository.name}' in the registry with id '${repository.account}'`,
          );
        }
        return found;
      });
      const all = (wanted ?? images).filter(({ tags }) => ofStatus(input.filter?.tagStatus)({ imageTag: tags[0] }));
      const { items, next } = page([...new Set(all)], ({ digest }) => digest, input);
      return {
        imageDetails: items.map((image) => ({
          registryId: repository.account,
          repositoryName: repository.name,
          imageDigest: image.digest,
          ...(image.tags.length > 0 && { imageTags: image.tags }),
          imageSizeInBytes: Buffer.byteLength(image.manifest),
          imagePushedAt: image.pushedAt,
          imageManifestMediaType: image.mediaType,
        })),
        nextToken: next,
      };
    },

    BatchGetImage: (input, context) => {
      const repository = store.repository(context, input);
      const all = store.imagesOf(repository);
      const failures: ImageFailure[] = [];
      const images = input.imageIds.flatMap((id) => {
        const found = all.find((image) => isMeant(image, id));
        if (found === undefined) failures.push(failureOf(id));
        return found === undefined ? [] : [imageTold(repository, found, id.imageTag)];
      });
      return { images, failures };
    },

    /** By a tag alone only that tag goes, and the image with its last one. */
    BatchDeleteImage: async (input, context) => {
      const repository = store.repository(context, input);
      const left = new Map(store.imagesOf(repository).map((image) => [image.digest, image]));
      const gone: ImageIdentifier[] = [];
      const failures: ImageFailure[] = [];
      for (const id of input.imageIds) {
        const found = [...left.values()].find((image) => isMeant(image, id));
        if (found === undefined) failures.push(failureOf(id));
        else if (id.imageDigest === undefined && found.tags.length > 1) {
          left.set(found.digest, withoutTag(found, id.imageTag));
          gone.push({ imageDigest: found.digest, imageTag: id.imageTag });
        } else {
          left.delete(found.digest);
          gone.push(...idsOf(found));
        }
      }
      await store.commit((commit) => {
        for (const image of store.imagesOf(repository)) {
          const kept = left.get(image.digest);
          if (kept === undefined) store.deleteImage(commit, repository, image);
          else if (kept !== image) store.putImage(commit, repository, kept);
        }
      });
      return { imageIds: gone, failures };
    },
  };
}

function typeIn(manifest: string): string {
  const { mediaType } = JSON.parse(manifest) as { readonly mediaType?: unknown };
  return typeof mediaType === "string" ? mediaType : USUAL_TYPE;
}

function imageTold(
  { account, name }: RepositoryRecord,
  { digest, manifest, mediaType }: ImageRecord,
  tag: string | undefined,
) {
  return {
    registryId: account,
    repositoryName: name,
    imageId: { imageDigest: digest, ...(tag !== undefined && { imageTag: tag }) },
    imageManifest: manifest,
    imageManifestMediaType: mediaType,
  };
}

/** One for each tag; an image without any has one all the same. */
function idsOf({ digest, tags }: ImageRecord): readonly ImageIdentifier[] {
  return tags.length === 0 ? [{ imageDigest: digest }] : tags.map((imageTag) => ({ imageDigest: digest, imageTag }));
}

function idKey({ imageDigest = "", imageTag = "" }: ImageIdentifier): string {
  return `${imageDigest} ${imageTag}`;
}

function ofStatus(status: string | undefined): (id: ImageIdentifier) => boolean {
  return ({ imageTag }) =>
    status === undefined || status === "ANY" || (status === "TAGGED") === (imageTag !== undefined);
}

function isMeant({ digest, tags }: ImageRecord, { imageDigest, imageTag }: ImageIdentifier): boolean {
  if (imageDigest === undefined && imageTag === undefined) return false;
  return (imageDigest ?? digest) === digest && (imageTag === undefined || tags.includes(imageTag));
}

function withoutTag(image: ImageRecord, tag: string | undefined): ImageRecord {
  return { ...image, tags: image.tags.filter((each) => each !== tag) };
}

function failureOf(id: ImageIdentifier): ImageFailure {
  return id.imageDigest === undefined && id.imageTag === undefined
    ? {
        imageId: id,
        failureCode: "MissingDigestAndTag",
        failureReason: "Invalid request parameters: both tag and digest cannot be null",
      }
    : { imageId: id, failureCode: "ImageNotFound", failureReason: "Requested image not found" };
}
