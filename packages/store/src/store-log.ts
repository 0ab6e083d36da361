/** Where a store tells what an operator should know: a constant message and its fields. Never holds stored data. */
export type StoreLog = (message: string, fields: Readonly<Record<string, unknown>>) => void;
