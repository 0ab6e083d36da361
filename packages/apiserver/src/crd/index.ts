export { startCrdController } from "./crd-controller.ts";
export type { CrdControllerDeps } from "./crd-controller.ts";
export { crdResource } from "./crd-resource.ts";
export { customResource } from "./custom-resource.ts";
export type { CustomResourceDeps } from "./custom-resource.ts";
export type { WebhookCaller } from "./conversion.ts";
