import { StatusError } from "@gatewright/kube";

/** Waits for a write to an object that may have vanished meanwhile: not being there is then as good as done. */
export async function unlessGone<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}
