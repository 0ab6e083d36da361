/** The Kubernetes that the embedded server is measured against. */
export const CURRENT_KUBERNETES = "1.36.4";

/** The oldest Kubernetes that Gatewright supports. */
export const OLDEST_KUBERNETES = "1.32.2";

/** `1.36.4` -> `0.36.4`: the version under which the parts of that release are published as modules. */
export function stagingVersion(version: string): string {
  const [, minor, patch] = /^1\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (minor === undefined) throw new Error(`${version} is not a Kubernetes version such as ${CURRENT_KUBERNETES}`);
  return `0.${minor}.${patch}`;
}
