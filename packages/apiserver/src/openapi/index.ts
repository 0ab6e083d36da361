export { openapiPaths } from "./openapi-paths.ts";
