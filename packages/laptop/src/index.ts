export { startLaptop } from "./start-laptop.ts";
export type { Laptop, LaptopOptions } from "./start-laptop.ts";
