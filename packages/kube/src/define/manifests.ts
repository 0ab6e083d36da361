export { crdOf } from "./crd-of.ts";
