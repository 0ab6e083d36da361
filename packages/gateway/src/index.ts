export { OBJECT_KINDS } from "./configuration/objects.ts";
