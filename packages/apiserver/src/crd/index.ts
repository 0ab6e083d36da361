export { startCrdController } from "./crd-controller.ts";
export { crdResource } from "./crd-resource.ts";
