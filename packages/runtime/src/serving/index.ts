export * from "./http-answer.ts";
export { openServer } from "./open-server.ts";
export type { OpenServerOptions } from "./open-server.ts";
export { sendAnswer } from "./send-answer.ts";
