import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { faultsByField, filledIn, withValue } from "../model/form-value.ts";
import type { FieldPath } from "../model/form-value.ts";
import { pathOf } from "../model/kube.ts";
import type { KubeObject, ShownKind } from "../model/kube.ts";
import { fieldsOf, firstValue, schemaOfKind } from "../model/schema.ts";
import type { Schema } from "../model/schema.ts";
import { toYaml } from "../model/to-yaml.ts";
import { Icon } from "../parts/icons.tsx";
import { Note } from "../parts/note.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { GroupFields } from "../parts/schema-field.tsx";
import { ask, Refusal } from "../state/ask.ts";
import { go, href } from "../state/location.ts";
import { kindById, useSession } from "../state/session.ts";

/** A form for a new object, made from the schema that the API server publishes. */
export function CreatePage({ id }: { readonly id: string | undefined }): JSX.Element {
  const session = useSession();
  const kind = id === undefined ? undefined : kindById(session, id);
  if (kind === undefined) return <KindChoice />;
  return <CreateForm key={kind.id} kind={kind} />;
}

function KindChoice(): JSX.Element {
  const { kinds } = useSession();
  return (
    <>
      <PageHead title="New" about="What is to be made?" />
      <div class="tiles">
        {kinds
          .filter(({ made }) => made)
          .map(({ id, kind, group }) => (
            <a key={id} class="tile" href={href("new", id)}>
              <b>{kind}</b>
              <span class="label">{group}</span>
            </a>
          ))}
      </div>
    </>
  );
}

function useSchema(kind: ShownKind): { readonly schema: Schema | undefined; readonly problem: string } {
  const [state, setState] = useState<{ readonly schema: Schema | undefined; readonly problem: string }>({
    schema: undefined,
    problem: "",
  });
  useEffect(() => {
    const gone = new AbortController();
    ask<Parameters<typeof schemaOfKind>[0]>(`/openapi/v3/apis/${kind.group}/${kind.version}`, {
      signal: gone.signal,
    }).then(
      (document) => {
        const schema = schemaOfKind(document, kind);
        setState({ schema, problem: schema === undefined ? `The API server has no schema of ${kind.kind}.` : "" });
      },
      (error: unknown) => {
        if (!gone.signal.aborted)
          setState({ schema: undefined, problem: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => gone.abort();
  }, [kind.id]);
  return state;
}

function CreateForm({ kind }: { readonly kind: ShownKind }): JSX.Element {
  const session = useSession();
  const { schema, problem } = useSchema(kind);
  const [name, setName] = useState("");
  const [namespace, setNamespace] = useState(session.namespace ?? "default");
  const [spec, setSpec] = useState<unknown>(undefined);
  const [refusal, setRefusal] = useState<Error | undefined>(undefined);
  const [preview, setPreview] = useState<KubeObject | undefined>(undefined);
  const specSchema = schema?.properties?.["spec"];
  useEffect(() => {
    if (specSchema !== undefined) setSpec(firstValue(specSchema));
  }, [specSchema]);

  const object = {
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { name, ...(kind.namespaced && { namespace }) },
    spec: filledIn(spec),
  };
  const post = async (dryRun: boolean): Promise<void> => {
    setRefusal(undefined);
    try {
      const query = `fieldManager=gatewright-console&fieldValidation=Strict${dryRun ? "&dryRun=All" : ""}`;
      const path = `${pathOf(kind, kind.namespaced ? namespace : undefined)}?${query}`;
      const made = await ask<KubeObject>(path, { method: "POST", body: object });
      if (dryRun) setPreview(made);
      else go(href("object", kind.id, made.metadata.namespace ?? "-", made.metadata.name));
    } catch (error) {
      setPreview(undefined);
      setRefusal(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const change = (path: FieldPath, value: unknown): void => {
    setPreview(undefined);
    // The first step is `spec` itself.
    setSpec((before: unknown) => withValue(before, path.slice(1), value));
  };
  const faults = faultsByField(refusal instanceof Refusal ? (refusal.status.details?.causes ?? []) : []);
  if (problem !== "") return <Note state="broken">{problem}</Note>;
  return (
    <>
      <PageHead title={`New ${kind.kind}`} about={schema?.description} crumbs={<a href={href("new")}>New</a>} />
      <form
        class="columns"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void post(preview === undefined);
        }}
      >
        <section class="card">
          <div class="body stack">
            <div class="field">
              <label for="new-name">
                name <span class="required">required</span>
              </label>
              <input
                id="new-name"
                class="input"
                required
                autocomplete="off"
                spellcheck={false}
                value={name}
                aria-invalid={faults.has("metadata.name")}
                onInput={({ currentTarget }) => {
                  setPreview(undefined);
                  setName(currentTarget.value);
                }}
              />
              {(faults.get("metadata.name") ?? []).map((fault) => (
                <div key={fault} class="fault">
                  {fault}
                </div>
              ))}
            </div>
            {kind.namespaced && (
              <div class="field">
                <label for="new-namespace">
                  namespace <span class="required">required</span>
                </label>
                <input
                  id="new-namespace"
                  class="input"
                  required
                  autocomplete="off"
                  spellcheck={false}
                  value={namespace}
                  onInput={({ currentTarget }) => {
                    setPreview(undefined);
                    setNamespace(currentTarget.value);
                  }}
                />
              </div>
            )}
            {specSchema === undefined ? (
              <p class="faint">Loading…</p>
            ) : (
              <GroupFields schema={specSchema} path={["spec"]} value={spec} faults={faults} change={change} />
            )}
          </div>
        </section>
        <div class="stack">
          <div class="card">
            <div class="body stack">
              <div class="row">
                <button type="submit" class="button main-action" disabled={name === ""}>
                  <Icon name={preview === undefined ? "arrow" : "plus"} size={14} />
                  {preview === undefined ? "Check with the server" : "Create"}
                </button>
              </div>
              <div aria-live="polite">
                {refusal !== undefined && <Note state="broken">{summaryOf(refusal, faults, specSchema)}</Note>}
                {preview !== undefined && (
                  <Note state="ok">The server would take it, as below. Nothing is stored yet.</Note>
                )}
              </div>
            </div>
          </div>
          <section class="card">
            <header>
              <h2>{preview === undefined ? "So far" : "As it would be stored"}</h2>
            </header>
            <pre class="code" tabIndex={0} aria-label="YAML">
              {toYaml(
                preview === undefined
                  ? object
                  : { ...preview, metadata: { ...preview.metadata, managedFields: undefined } },
              )}
            </pre>
          </section>
        </div>
      </form>
    </>
  );
}

/** What is wrong in all, unless each complaint is at a field that is to be seen. */
function summaryOf(refusal: Error, faults: ReadonlyMap<string, readonly string[]>, schema: Schema | undefined): string {
  const seen = new Set(["metadata.name", ...fieldsOf(schema ?? {}).map(({ name }) => `spec.${name}`)]);
  const isAllSeen = faults.size > 0 && [...faults.keys()].every((field) => seen.has(field));
  return isAllSeen
    ? `${faults.size === 1 ? "A field has" : `${faults.size} fields have`} to be changed.`
    : refusal.message;
}
