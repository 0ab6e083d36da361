import { BodySyntaxError, parseYaml } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { nextTurn } from "@gatewright/ports";

/** One document of a file. */
export interface Document {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly value: Json;
  /** What is odd about it, such as keys that stand twice. */
  readonly warnings: readonly string[];
}

/** A file that cannot be read as YAML or JSON. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code = "document_unreadable";
  readonly retryable = false;
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`the document that begins at line ${line} cannot be read: ${problem}`);
    this.line = line;
  }
}

/** Remembers documents by their text, so that of a large file only what changed is read again. */
export type KnownDocuments = Map<string, Omit<Document, "line">>;

/**
 * Reads the documents of a file, YAML or JSON, as kubectl parts them: by lines of `---`. Empty ones are left out. `known` is what the
 * last call remembered; it is brought up to date. Others get their turn in between. Throws {@link DocumentError}.
 */
export async function readDocuments(
  text: string,
  signal: AbortSignal,
  known: KnownDocuments = new Map(),
): Promise<Document[]> {
  const before = new Map(known);
  const fresh: KnownDocuments = new Map();
  const documents: Document[] = [];
  let parsed = 0;
  for (const { line, part } of parts(text)) {
    let read = before.get(part) ?? fresh.get(part);
    if (read === undefined) {
      if (++parsed % TURN === 0) await nextTurn();
      signal.throwIfAborted();
      read = readOne(line, part);
    }
    fresh.set(part, read);
    if (read.value !== null) documents.push({ line, ...read });
  }
  known.clear();
  for (const [part, read] of fresh) known.set(part, read);
  return documents;
}

/** So many documents are read in one turn of the event loop. */
const TURN = 16;
const SEPARATOR = /^---(?:[ \t].*)?$/;

function parts(text: string): { readonly line: number; readonly part: string }[] {
  const found: { line: number; part: string }[] = [];
  let begin = 0;
  const lines = text.split("\n");
  const end = (at: number): void => {
    const part = lines.slice(begin, at).join("\n");
    if (part.trim() !== "") found.push({ line: begin + 1, part });
  };
  for (const [at, line] of lines.entries()) {
    if (!SEPARATOR.test(line.trimEnd())) continue;
    end(at);
    begin = at + 1;
  }
  end(lines.length);
  return found;
}

function readOne(line: number, part: string): Omit<Document, "line"> {
  try {
    const { value, duplicates } = parseYaml(Buffer.from(part));
    return { value, warnings: duplicates };
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw new DocumentError(line, error.message);
  }
}
