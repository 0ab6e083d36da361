import { CredentialsError } from "./credentials-error.ts";

/** Reads a file as text. `node:fs/promises` has one. */
export type ReadFile = (path: string, signal: AbortSignal) => Promise<string>;

/** Far more than any token. */
const LONGEST = 65_536;

/**
 * The token in a file. While a file is being replaced it may be missing or empty for a moment: that passes, and is not taken for a
 * token.
 */
export async function readToken(readFile: ReadFile, path: string, signal: AbortSignal): Promise<string> {
  const unusable = (message: string, cause?: unknown): CredentialsError =>
    new CredentialsError(
      {
        code: "TokenUnusable",
        message,
        remedy: "Check that the pod's token volume is mounted there and that the process may read it.",
      },
      cause === undefined ? undefined : { cause },
    );
  let text: string;
  try {
    text = await readFile(path, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw unusable(`the token file ${path} cannot be read: ${codeOf(error)}`, error);
  }
  const token = text.trim();
  if (token === "") throw unusable(`the token file ${path} is empty`);
  // A line break would end the header, or the line, that the token is sent in.
  if (token.length > LONGEST || /[^\x21-\x7e]/.test(token)) throw unusable(`the token file ${path} holds no token`);
  return token;
}

function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : "an error";
}
