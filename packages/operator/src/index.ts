export { addParts } from "./add-parts.ts";
export { AWS_PARTS, PARTS } from "./part.ts";
export type { Part } from "./part.ts";
export type { PartSettings } from "./part-settings.ts";
export type { CertificateSettings } from "./operator-certificates.ts";
