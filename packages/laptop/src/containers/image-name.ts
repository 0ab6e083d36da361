/** The parts of an image's name. */
export interface ImageName {
  /** Without tag and digest: `gatewright/echo`, `ghcr.io/team/app`. */
  readonly repository: string;
  /** `latest` when the name has neither a tag nor a digest. */
  readonly tag: string | undefined;
  readonly digest: string | undefined;
  /** With the registry that is meant when none is named: `docker.io/library/nginx:latest`. */
  readonly whole: string;
}

const COMPONENT = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const DOMAIN =
  "(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\\.(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?))*(?::[0-9]+)?";
const NAME = new RegExp(
  `^((?:(?:${DOMAIN})/)?${COMPONENT}(?:/${COMPONENT})*)(?::([\\w][\\w.-]{0,127}))?(?:@([a-z0-9]+:[0-9a-fA-F]{32,}))?$`,
);
const LONGEST = 512;

/** Reads the name of an image; undefined when it is none. */
export function parseImageName(text: string): ImageName | undefined {
  const parts = text.length > LONGEST ? null : NAME.exec(text);
  if (parts === null) return undefined;
  const [, repository = "", givenTag, digest] = parts;
  const tag = givenTag ?? (digest === undefined ? "latest" : undefined);
  const suffix = `${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
  return { repository, tag, digest, whole: `${withRegistry(repository)}${suffix}` };
}

/** The first part is a registry if it could be a host, or could not be a repository. */
function withRegistry(repository: string): string {
  const [first = "", ...rest] = repository.split("/");
  if (rest.length === 0) return `docker.io/library/${repository}`;
  const isHost = /[.:A-Z]/.test(first) || first === "localhost";
  return isHost ? repository : `docker.io/${repository}`;
}
