export { crdOf } from "./crd-of.ts";
export { referencePage } from "./reference-page.ts";
