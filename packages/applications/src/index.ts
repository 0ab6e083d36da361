export { applications } from "./controller.ts";
export { APPLICATION_LABEL } from "./children/names.ts";
