export { startLaptop } from "./start-laptop.ts";
export type { Laptop, LaptopOptions } from "./start-laptop.ts";
export { HostProcessesRefusedError } from "./containers/host/host-processes.ts";
export { ImageCommandsError } from "./containers/host/image-commands.ts";
