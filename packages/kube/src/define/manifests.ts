export { crdOf } from "./crd-of.ts";
export { fieldTable, referencePage } from "./reference-page.ts";
