import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { pathOf } from "../model/kube.ts";
import type { KubeObject, ShownKind } from "../model/kube.ts";
import { toYaml } from "../model/to-yaml.ts";
import { ask, Refusal } from "../state/ask.ts";
import { DiffView } from "./diff-view.tsx";
import { Icon } from "./icons.tsx";
import { Note } from "./note.tsx";
import { useMay } from "./use-may.ts";

/** Reading; writing a new text; or looking at what the server would make of it. */
type Mode =
  | { readonly type: "reading" }
  | { readonly type: "editing"; readonly text: string; readonly base: KubeObject }
  | { readonly type: "reviewing"; readonly text: string; readonly base: KubeObject; readonly result: KubeObject };

/** An object as YAML: to be read, and to be changed after the server has said what would come of it. */
export function YamlEditor({ kind, object }: { readonly kind: ShownKind; readonly object: KubeObject }): JSX.Element {
  const [mode, setMode] = useState<Mode>({ type: "reading" });
  const [problem, setProblem] = useState<Refusal | Error | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const { namespace, name } = object.metadata;
  const may = useMay("update", kind, namespace, name);
  const isConflict = problem instanceof Refusal && problem.code === 409;

  const put = async (text: string, dryRun: boolean): Promise<KubeObject | undefined> => {
    const query = `fieldManager=gatewright-console&fieldValidation=Strict${dryRun ? "&dryRun=All" : ""}`;
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { method: "PUT", body: text, type: "application/yaml" };
      return await ask<KubeObject>(`${pathOf(kind, namespace, name)}?${query}`, body);
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const review = async (text: string, base: KubeObject): Promise<void> => {
    const result = await put(text, true);
    if (result !== undefined) setMode({ type: "reviewing", text, base, result });
  };
  const apply = async (text: string): Promise<void> => {
    if ((await put(text, false)) !== undefined) setMode({ type: "reading" });
  };
  const edit = (): void => {
    setProblem(undefined);
    setMode({ type: "editing", text: editable(object), base: object });
  };

  return (
    <section class="card">
      <header>
        <h2>{mode.type === "reading" ? "YAML" : mode.type === "editing" ? "Edit" : "Review"}</h2>
        <div class="row end">
          {mode.type === "reading" && (
            <button
              type="button"
              class="button small"
              onClick={edit}
              disabled={may === false}
              title={may === false ? "You may not change it." : ""}
            >
              <Icon name="edit" size={13} /> Edit
            </button>
          )}
          {mode.type === "editing" && (
            <button
              type="button"
              class="button small main-action"
              disabled={busy}
              onClick={() => void review(mode.text, mode.base)}
            >
              Review changes
            </button>
          )}
          {mode.type === "reviewing" && (
            <>
              <button type="button" class="button small" onClick={() => setMode({ ...mode, type: "editing" })}>
                Back
              </button>
              <button
                type="button"
                class="button small main-action"
                disabled={busy}
                onClick={() => void apply(mode.text)}
              >
                Apply
              </button>
            </>
          )}
          {mode.type !== "reading" && (
            <button type="button" class="button small" onClick={() => setMode({ type: "reading" })}>
              Cancel
            </button>
          )}
        </div>
      </header>
      {problem !== undefined && mode.type !== "reading" && (
        <div class="body">
          <Note state="broken">
            {problem.message}
            {isConflict && (
              <p>
                Somebody has changed it since you began.{" "}
                <button type="button" class="button small" onClick={edit}>
                  Begin anew with what is there now
                </button>
              </p>
            )}
          </Note>
        </div>
      )}
      {mode.type === "reading" && (
        <pre class="code" tabIndex={0} aria-label={`YAML of ${name}`}>
          {toYaml(readable(object))}
        </pre>
      )}
      {mode.type === "editing" && (
        <textarea
          class="code"
          aria-label={`YAML of ${name}`}
          spellcheck={false}
          value={mode.text}
          onInput={({ currentTarget }) => setMode({ ...mode, text: currentTarget.value })}
        />
      )}
      {mode.type === "reviewing" && <DiffView before={editable(mode.base)} after={editable(mode.result)} />}
    </section>
  );
}

function readable(object: KubeObject): unknown {
  const { apiVersion, kind, metadata, ...rest } = object;
  return { apiVersion, kind, metadata: { ...metadata, managedFields: undefined }, ...rest };
}

/** What a user may want to change: status is the controllers'; the generation, and who owns which field, are the server's. */
function editable(object: KubeObject): string {
  const { status: _, metadata, ...rest } = object;
  const { generation: __, ...kept } = metadata;
  return toYaml(readable({ ...rest, metadata: kept }));
}
