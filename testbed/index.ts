export { PartMissingError } from "./part-missing-error.ts";
export type { Progress } from "./progress.ts";
export { upKube } from "./kube/up-kube.ts";
export type { Kube, KubeOptions } from "./kube/up-kube.ts";
export { CURRENT_KUBERNETES, OLDEST_KUBERNETES } from "./kube/versions.ts";
