import type { Commit, Records, State } from "../state/state.ts";
import type { ImageRecord, Place, RepositoryRecord } from "./records.ts";
import { noRepository } from "./refusals.ts";

/** All that ECR remembers. Repositories are keyed by account, region and name, images by that and their digest. */
export class EcrStore {
  readonly repositories: Records<RepositoryRecord>;
  readonly images: Records<ImageRecord>;
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
    this.repositories = state.records("ecr/repositories");
    this.images = state.records("ecr/images");
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    return this.#state.commit(change);
  }

  put(repository: RepositoryRecord): Promise<void> {
    return this.commit((commit) => commit.put(this.repositories, keyOf(repository), repository));
  }

  find(place: Place & { readonly name: string }): RepositoryRecord | undefined {
    return this.repositories.get(keyOf(place));
  }

  /** The repository that a request names. Registries of other accounts are as empty as can be. */
  repository(
    { account, region }: Place,
    {
      repositoryName: name,
      registryId = account,
    }: { readonly repositoryName: string; readonly registryId?: string | undefined },
  ): RepositoryRecord {
    const found = registryId === account ? this.find({ account, region, name }) : undefined;
    if (found === undefined) throw noRepository(name, registryId);
    return found;
  }

  /** By name. */
  repositoriesIn({ account, region }: Place): readonly RepositoryRecord[] {
    return this.repositories.list(`${account}|${region}|`).map(([, repository]) => repository);
  }

  /** By digest. */
  imagesOf(repository: RepositoryRecord): readonly ImageRecord[] {
    return this.images.list(`${keyOf(repository)}|`).map(([, image]) => image);
  }

  putImage(commit: Commit, repository: RepositoryRecord, image: ImageRecord): void {
    commit.put(this.images, `${keyOf(repository)}|${image.digest}`, image);
  }

  deleteImage(commit: Commit, repository: RepositoryRecord, { digest }: ImageRecord): void {
    commit.delete(this.images, `${keyOf(repository)}|${digest}`);
  }

  /** With all images. */
  delete(repository: RepositoryRecord): Promise<void> {
    return this.commit((commit) => {
      for (const image of this.imagesOf(repository)) this.deleteImage(commit, repository, image);
      commit.delete(this.repositories, keyOf(repository));
    });
  }
}

function keyOf({ account, region, name }: Place & { readonly name: string }): string {
  return `${account}|${region}|${name}`;
}
