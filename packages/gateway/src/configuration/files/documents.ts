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

type Read = Omit<Document, "line">;

/** Remembers documents by their text, so that of a large file only what changed is read again. */
export class KnownDocuments {
  #read: ReadonlyMap<string, Read> = new Map();

  /**
   * The documents of a file, YAML or JSON, as kubectl parts them: by lines of `---`. Empty ones are left out. Others get their turn in
   * between. Throws {@link DocumentError}, and then remembers what it did before.
   */
  async read(text: string, signal: AbortSignal): Promise<Document[]> {
    const fresh = new Map<string, Read>();
    const documents: Document[] = [];
    let parsed = 0;
    for (const { line, part } of parts(text)) {
      let read = this.#read.get(part) ?? fresh.get(part);
      if (read === undefined) {
        if (++parsed % TURN === 0) await nextTurn();
        signal.throwIfAborted();
        read = readOne(line, part);
      }
      fresh.set(part, read);
      if (read.value !== null) documents.push({ line, ...read });
    }
    this.#read = fresh;
    return documents;
  }
}

/** So many documents are read in one turn of the event loop. */
const TURN = 16;
const SEPARATOR = /^---(?:[ \t][^\n]*)?\r?(?:\n|$)/gm;

function parts(text: string): { readonly line: number; readonly part: string }[] {
  const found: { line: number; part: string }[] = [];
  let begin = 0;
  let line = 1;
  const end = (at: number): void => {
    const part = text.slice(begin, at);
    if (part.trim() !== "") found.push({ line, part });
    for (let next = text.indexOf("\n", begin); next !== -1 && next < at; next = text.indexOf("\n", next + 1)) line++;
  };
  for (const { 0: separator, index } of text.matchAll(SEPARATOR)) {
    end(index);
    begin = index + separator.length;
    line++;
  }
  end(text.length);
  return found;
}

function readOne(line: number, part: string): Read {
  try {
    const { value, duplicates } = parseYaml(Buffer.from(part));
    return { value, warnings: duplicates };
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw new DocumentError(line, error.message);
  }
}
