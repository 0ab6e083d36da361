export { compileSchema } from "./object-schema.ts";
export type { ObjectSchema } from "./object-schema.ts";
export { MetadataError } from "./object-meta.ts";
