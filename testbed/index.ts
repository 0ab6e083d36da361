export { PartMissingError } from "./part-missing-error.ts";
export type { Progress } from "./progress.ts";
export { ADVERTISED_ADDRESS } from "./kube/control-plane.ts";
export { upKube } from "./kube/up-kube.ts";
export { CURRENT_KUBERNETES } from "./kube/versions.ts";
