import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { pathText } from "../model/form-value.ts";
import type { FieldPath } from "../model/form-value.ts";
import { fieldsOf, firstValue, limitsOf, rulesOf, shapeOf } from "../model/schema.ts";
import type { Schema } from "../model/schema.ts";
import { Icon } from "./icons.tsx";

export interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly path: FieldPath;
  readonly value: unknown;
  readonly required: boolean;
  readonly faults: ReadonlyMap<string, readonly string[]>;
  readonly change: (path: FieldPath, value: unknown) => void;
}

/** One field of a form, of whatever shape its schema has. */
export function SchemaField(props: FieldProps): JSX.Element {
  switch (shapeOf(props.schema)) {
    case "group":
      return <GroupField {...props} />;
    case "list":
      return <ListField {...props} />;
    case "map":
      return <MapField {...props} />;
    case "json":
      return <JsonField {...props} />;
    case "choice":
    case "yes-no":
      return <ChoiceField {...props} />;
    case "text":
    case "number":
      return <TextField {...props} />;
  }
}

function idOf(path: FieldPath): string {
  return `field-${pathText(path)}`;
}

/** What is said about a field beside its name: what it is for, its limits and rules, and what is wrong with it. */
function About({
  schema,
  path,
  faults,
  brief = false,
}: Pick<FieldProps, "schema" | "path" | "faults"> & { readonly brief?: boolean }): JSX.Element {
  const rules = brief ? [] : [limitsOf(schema), ...rulesOf(schema)].filter((text) => text !== "").map(sentence);
  const told = faults.get(pathText(path)) ?? [];
  return (
    <div id={`${idOf(path)}-about`}>
      {schema.description !== undefined && <div class="about">{schema.description}</div>}
      {rules.length > 0 && <div class="about faint">{rules.join(" ")}</div>}
      {told.map((fault) => (
        <div key={fault} class="fault">
          {fault}
        </div>
      ))}
    </div>
  );
}

/** Rules are written as clauses. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
}

function Label({ name, path, required }: Pick<FieldProps, "name" | "path" | "required">): JSX.Element {
  return (
    <label for={idOf(path)}>
      {name} {required && <span class="required">required</span>}
    </label>
  );
}

function ChoiceField({ name, schema, path, value, required, faults, change }: FieldProps): JSX.Element {
  const options = schema.enum ?? [true, false];
  const words = (option: unknown): string => (typeof option === "boolean" ? (option ? "yes" : "no") : String(option));
  const none = schema.default === undefined ? (required ? "choose…" : "not set") : `default: ${words(schema.default)}`;
  return (
    <div class="field">
      <Label name={name} path={path} required={required} />
      <select
        id={idOf(path)}
        class="input"
        aria-describedby={`${idOf(path)}-about`}
        aria-invalid={faults.has(pathText(path))}
        value={value === undefined ? "" : String(options.indexOf(value))}
        onChange={({ currentTarget }) =>
          change(path, currentTarget.value === "" ? undefined : options[Number(currentTarget.value)])
        }
      >
        <option value="">{none}</option>
        {options.map((option, index) => (
          <option key={String(option)} value={String(index)}>
            {words(option)}
          </option>
        ))}
      </select>
      <About schema={schema} path={path} faults={faults} />
    </div>
  );
}

function TextField({ name, schema, path, value, required, faults, change }: FieldProps): JSX.Element {
  const isNumber = shapeOf(schema) === "number";
  const read = (text: string): unknown => {
    if (text === "") return undefined;
    const isWhole = schema["x-kubernetes-int-or-string"] === true && /^[0-9]{1,9}$/.test(text);
    return (isNumber || isWhole) && Number.isFinite(Number(text)) ? Number(text) : text;
  };
  return (
    <div class="field">
      <Label name={name} path={path} required={required} />
      <input
        id={idOf(path)}
        class="input"
        inputMode={isNumber ? "decimal" : "text"}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${idOf(path)}-about`}
        aria-invalid={faults.has(pathText(path))}
        required={required}
        placeholder={schema.default === undefined ? "" : `default: ${String(schema.default)}`}
        value={value === undefined ? "" : String(value)}
        onInput={({ currentTarget }) => change(path, read(currentTarget.value))}
      />
      <About schema={schema} path={path} faults={faults} />
    </div>
  );
}

/** Whatever has no schema of its own is written as JSON. */
function JsonField({ name, schema, path, value, required, faults, change }: FieldProps): JSX.Element {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, undefined, 2));
  const [problem, setProblem] = useState("");
  const read = (given: string): void => {
    setText(given);
    try {
      change(path, given.trim() === "" ? undefined : JSON.parse(given));
      setProblem("");
    } catch {
      setProblem('This is not JSON yet: write {"name": "value"}, for instance.');
    }
  };
  return (
    <div class="field">
      <Label name={name} path={path} required={required} />
      <textarea
        id={idOf(path)}
        class="input mono"
        rows={3}
        spellcheck={false}
        aria-describedby={`${idOf(path)}-about`}
        aria-invalid={problem !== "" || faults.has(pathText(path))}
        value={text}
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
      {problem !== "" && <div class="fault">{problem}</div>}
      <About schema={schema} path={path} faults={faults} />
    </div>
  );
}

function GroupField({ name, schema, path, value, required, faults, change }: FieldProps): JSX.Element {
  if (value === undefined && !required) {
    return (
      <div class="field">
        <div>
          <button
            type="button"
            class="button small"
            id={idOf(path)}
            onClick={() => change(path, firstValue(schema) ?? {})}
          >
            <Icon name="plus" size={13} /> {name}
          </button>
        </div>
        <About schema={schema} path={path} faults={faults} brief />
      </div>
    );
  }
  return (
    <div class="field">
      <div class="row">
        <span class="label" id={idOf(path)}>
          {name}
        </span>
        {required ? (
          <span class="required">required</span>
        ) : (
          <button
            type="button"
            class="button small bare"
            onClick={() => change(path, undefined)}
            aria-label={`Remove ${name}`}
          >
            Remove
          </button>
        )}
      </div>
      <About schema={schema} path={path} faults={faults} />
      <fieldset aria-labelledby={idOf(path)}>
        <GroupFields schema={schema} path={path} value={value} faults={faults} change={change} />
      </fieldset>
    </div>
  );
}

/** The fields of a group, without a frame around them. */
export function GroupFields({
  schema,
  path,
  value,
  faults,
  change,
}: Omit<FieldProps, "name" | "required">): JSX.Element {
  const entries = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <>
      {fieldsOf(schema).map(({ name, schema: inner, required }) => (
        <SchemaField
          key={name}
          name={name}
          schema={inner}
          path={[...path, name]}
          value={Object.hasOwn(entries, name) ? entries[name] : undefined}
          required={required}
          faults={faults}
          change={change}
        />
      ))}
    </>
  );
}

function ListField({ name, schema, path, value, required, faults, change }: FieldProps): JSX.Element {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const inner = schema.items ?? {};
  const addItem = (): void => change([...path, items.length], firstValue(inner) ?? null);
  return (
    <div class="field" role="group" aria-labelledby={idOf(path)}>
      <div class="row">
        <span class="label" id={idOf(path)}>
          {name}
        </span>
        {required && <span class="required">required</span>}
        <button type="button" class="button small" onClick={addItem} aria-label={`Add to ${name}`}>
          <Icon name="plus" size={13} /> Add
        </button>
      </div>
      <About schema={schema} path={path} faults={faults} />
      {items.map((item, index) => (
        <fieldset key={index} aria-label={`${name} ${index + 1}`}>
          <SchemaField
            name={`${name} ${index + 1}`}
            schema={inner}
            path={[...path, index]}
            value={item ?? undefined}
            required
            faults={faults}
            change={(at, next) => change(at, next === undefined && at.length === path.length + 1 ? null : next)}
          />
          <div>
            <button
              type="button"
              class="button small bare"
              onClick={() => change([...path, index], undefined)}
              aria-label={`Remove ${name} ${index + 1}`}
            >
              Remove
            </button>
          </div>
        </fieldset>
      ))}
    </div>
  );
}

function MapField({ name, schema, path, value, required, faults, change }: FieldProps): JSX.Element {
  const [key, setKey] = useState("");
  const entries = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
  const inner = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
  const addKey = (): void => {
    if (key === "") return;
    change([...path, key], firstValue(inner) ?? "");
    setKey("");
  };
  return (
    <div class="field" role="group" aria-labelledby={idOf(path)}>
      <span class="label" id={idOf(path)}>
        {name} {required && <span class="required">required</span>}
      </span>
      <About schema={schema} path={path} faults={faults} />
      {entries.map(([each, item]) => (
        <fieldset key={each} aria-label={`${name} ${each}`}>
          <SchemaField
            name={each}
            schema={inner}
            path={[...path, each]}
            value={item}
            required={false}
            faults={faults}
            change={(at, next) => change(at, next ?? "")}
          />
          <div>
            <button
              type="button"
              class="button small bare"
              onClick={() => change([...path, each], undefined)}
              aria-label={`Remove ${each}`}
            >
              Remove
            </button>
          </div>
        </fieldset>
      ))}
      <div class="row">
        <input
          class="input"
          aria-label={`New key of ${name}`}
          placeholder="key"
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <button type="button" class="button small" disabled={key === ""} onClick={addKey}>
          <Icon name="plus" size={13} /> Add
        </button>
      </div>
    </div>
  );
}
