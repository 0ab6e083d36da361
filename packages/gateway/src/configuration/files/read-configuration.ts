import { dirname } from "node:path";
import type { Json } from "@gatewright/kube";
import type { GivenObject } from "../objects.ts";
import { isSettings, readSettings } from "../settings/gateway-settings.ts";
import type { GatewaySettings } from "../settings/gateway-settings.ts";
import { SettingsError } from "../settings/settings-error.ts";
import { DocumentError, KnownDocuments } from "./documents.ts";
import type { Document } from "./documents.ts";
import type { FileConfiguration, FileProblem } from "./file-configuration.ts";
import { givenObjects, inlineObjects } from "./given-objects.ts";
import type { Given } from "./given-objects.ts";
import { findFiles, problemOf, readText } from "./object-files.ts";
import type { FoundFile } from "./object-files.ts";

/** A file as it was last read. */
interface KnownFile {
  /** Of the file when it was last tried; undefined: try again whatever it is. */
  mark: string | undefined;
  /** Of the last good content; of the first one as far as it is good. */
  documents: readonly Document[];
  readonly known: KnownDocuments;
  /** Why the content is not what is on disk now. */
  problems: readonly FileProblem[];
  wasGood: boolean;
}

/**
 * Reads a settings file and the objects that it leads to, again and again. What cannot be read counts as it was when it last could;
 * only what is surely gone is gone.
 */
export class ConfigurationReader {
  readonly #path: string;
  readonly #files = new Map<string, KnownFile>();
  /** The files behind each path of the settings, as last known. */
  readonly #behind = new Map<string, readonly FoundFile[]>();
  readonly #given = new WeakMap<object, Given>();
  #settings:
    | { readonly document: Json; readonly settings: GatewaySettings; readonly warnings: readonly string[] }
    | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Directories in which a change may change what is read. */
  directories(): ReadonlySet<string> {
    const directories = new Set([dirname(this.#path)]);
    for (const path of this.#settings?.settings.objects ?? []) directories.add(dirname(path)).add(path);
    for (const files of this.#behind.values()) for (const { path } of files) directories.add(dirname(path));
    return directories;
  }

  /** Reads what has changed. Throws {@link SettingsError} when there are no settings, not even old ones. */
  async read(signal: AbortSignal): Promise<FileConfiguration> {
    const problems: FileProblem[] = [];
    const own = await this.#file(this.#path, await this.#markOf(this.#path), signal);
    const settings = this.#settingsIn(own, problems);
    const found: [path: string, documents: readonly Document[]][] = [
      [this.#path, own.documents.filter(({ value }) => !isSettings(value))],
    ];
    for (const { path, mark } of await this.#filesBehind(settings.objects, problems)) {
      if (path === this.#path) continue;
      const file = await this.#file(path, mark, signal);
      problems.push(...file.problems);
      found.push([path, file.documents]);
    }
    this.#forget(new Set(found.map(([path]) => path)));
    return { settings, objects: this.#objects(found, problems), problems };
  }

  /** A file's documents, read again only when its mark is another. */
  async #file(path: string, mark: string | undefined, signal: AbortSignal): Promise<KnownFile> {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = { mark: undefined, documents: [], known: new KnownDocuments(), problems: [], wasGood: false };
      this.#files.set(path, file);
    }
    if (mark !== undefined && file.mark === mark) return file;
    try {
      const documents = await file.known.read(await readText(path, signal), signal);
      const lost = this.#lostIn(path, documents);
      file.problems = file.wasGood ? lost : [];
      if (file.problems.length === 0) file.documents = documents;
      file.wasGood ||= lost.length === 0;
      file.mark = mark;
    } catch (error) {
      signal.throwIfAborted();
      const isText = error instanceof DocumentError;
      // A file that could not be read may be readable the next time, though nothing about it changed.
      file.mark = isText ? mark : undefined;
      const [line, message] = isText ? [error.line, error.message] : [undefined, problemOf(error)];
      file.problems = [{ file: path, line, severity: "error", message }];
    }
    return file;
  }

  /** Documents of which nobody can tell which object they are: what that one was would go unnoticed. */
  #lostIn(file: string, documents: readonly Document[]): readonly FileProblem[] {
    return documents
      .filter(({ value }) => !isSettings(value))
      .flatMap(({ line, value }) =>
        this.#givenBy(value, givenObjects).problems.map((problem) => ({ file, line, ...problem })),
      )
      .filter(({ severity }) => severity === "error");
  }

  #settingsIn(file: KnownFile, problems: FileProblem[]): GatewaySettings {
    const documents = file.documents.filter(({ value }) => isSettings(value));
    const [first, second] = documents;
    const told = [...file.problems];
    try {
      if (told.length > 0 && this.#settings === undefined)
        throw new SettingsError(
          this.#path,
          told.map(({ message }) => message),
        );
      if (second) throw new SettingsError(this.#path, [`line ${second.line}: settings are there twice`]);
      const document = first?.value ?? null;
      if (document !== this.#settings?.document || this.#settings === undefined) {
        this.#settings = { document, ...readSettings(document, this.#path) };
      }
    } catch (error) {
      if (!(error instanceof SettingsError) || this.#settings === undefined) throw error;
      told.push(...error.problems.map((message) => this.#ownProblem("error", first?.line, message)));
    }
    problems.push(...told, ...this.#settings.warnings.map((text) => this.#ownProblem("warning", first?.line, text)));
    return this.#settings.settings;
  }

  async #filesBehind(paths: readonly string[], problems: FileProblem[]): Promise<readonly FoundFile[]> {
    const files = new Map<string, FoundFile>();
    for (const path of new Set(paths)) {
      const found = await findFiles(path);
      if (found.type === "found") this.#behind.set(path, found.files);
      else problems.push({ file: path, line: undefined, severity: "error", message: found.problem });
      for (const file of this.#behind.get(path) ?? []) files.set(file.path, file);
    }
    for (const path of this.#behind.keys()) if (!paths.includes(path)) this.#behind.delete(path);
    return [...files.values()];
  }

  #objects(found: readonly (readonly [string, readonly Document[]])[], problems: FileProblem[]): GivenObject[] {
    const objects = new Map<string, GivenObject>();
    const take = (file: string, line: number | undefined, given: Given): void => {
      problems.push(...given.problems.map((problem) => ({ file, line, ...problem })));
      for (const object of given.objects) {
        const key = `${object.kind} ${object.namespace}/${object.name}`;
        if (!objects.has(key)) objects.set(key, object);
        else
          problems.push({ file, line, severity: "warning", message: `${key} is there already: the first one counts` });
      }
    };
    const document = this.#settings?.document;
    if (document !== undefined && isSettings(document))
      take(this.#path, undefined, this.#givenBy(document, inlineObjects));
    for (const [file, documents] of found) {
      for (const { line, value, warnings } of documents) {
        problems.push(...warnings.map((message) => ({ file, line, severity: "warning" as const, message })));
        take(file, line, this.#givenBy(value, givenObjects));
      }
    }
    return [...objects.values()];
  }

  #givenBy<T extends Json>(value: T, from: (value: T) => Given): Given {
    if (typeof value !== "object" || value === null) return from(value);
    const known = this.#given.get(value);
    if (known !== undefined) return known;
    const given = from(value);
    this.#given.set(value, given);
    return given;
  }

  async #markOf(path: string): Promise<string | undefined> {
    const found = await findFiles(path);
    return found.type === "found" ? found.files[0]?.mark : undefined;
  }

  #ownProblem(severity: FileProblem["severity"], line: number | undefined, message: string): FileProblem {
    return { file: this.#path, line, severity, message };
  }

  #forget(used: ReadonlySet<string>): void {
    for (const path of this.#files.keys()) if (!used.has(path)) this.#files.delete(path);
  }
}
