export { CONSOLE_PATH, createConsole } from "./console.ts";
export type { Console, ConsoleOptions } from "./console.ts";
export { consolePaths } from "./console-paths.ts";
export { createConsoleServer } from "./server/create-console-server.ts";
export type { ConsoleServerOptions } from "./server/create-console-server.ts";
