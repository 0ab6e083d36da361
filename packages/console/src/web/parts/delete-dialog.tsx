import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { pathOf } from "../model/kube.ts";
import type { KubeObject, ShownKind } from "../model/kube.ts";
import { ask } from "../state/ask.ts";
import { Icon } from "./icons.tsx";
import { Note } from "./note.tsx";
import { useMay } from "./use-may.ts";

/** A button that deletes an object after its name was written: this very object, and no other that has its name by then. */
export function DeleteButton({ kind, object }: { readonly kind: ShownKind; readonly object: KubeObject }): JSX.Element {
  const [open, setOpen] = useState(false);
  const { namespace, name } = object.metadata;
  const may = useMay("delete", kind, namespace, name);
  return (
    <>
      <button
        type="button"
        class="button danger"
        disabled={may === false}
        title={may === false ? "You may not delete it." : ""}
        onClick={() => setOpen(true)}
      >
        <Icon name="trash" size={14} /> Delete
      </button>
      {open && <DeleteDialog kind={kind} object={object} close={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps {
  readonly kind: ShownKind;
  readonly object: KubeObject;
  readonly close: () => void;
}

function DeleteDialog({ kind, object, close }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const { namespace, name, uid } = object.metadata;
  useEffect(() => dialog.current?.showModal(), []);
  const remove = async (): Promise<void> => {
    try {
      const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid } };
      await ask(pathOf(kind, namespace, name), { method: "DELETE", body });
      close();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="delete-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === name) void remove();
        }}
      >
        <div class="body">
          <h2 id="delete-title">
            Delete {kind.kind} {name}?
          </h2>
          <p class="soft">
            What was made for it goes too, as its deletion policy says. Write <code>{name}</code> to go on.
          </p>
          <input
            class="input"
            aria-label={`Write ${name} to delete it`}
            autocomplete="off"
            spellcheck={false}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {problem !== "" && <Note state="broken">{problem}</Note>}
        </div>
        <footer>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Keep it
          </button>
          <button type="submit" class="button danger sure" disabled={typed !== name}>
            Delete
          </button>
        </footer>
      </form>
    </dialog>
  );
}
