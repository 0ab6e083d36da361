await import("./main.cjs");
export {};
