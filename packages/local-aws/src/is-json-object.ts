/** Whether a text is JSON and holds an object: what policies and the like must be, whatever they say. */
export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    // Not JSON is the answer.
    return false;
  }
}
