import type { Call, Reply } from "../load.ts";
import { many } from "../load.ts";

/** How the bench speaks to the server that both controllers work on. */
export type Ask = (path: string, options?: Call) => Promise<Reply>;

const NAMESPACE = "bench-notes";
const NOTES = `/apis/bench.gatewright.dev/v1/namespaces/${NAMESPACE}/notes`;
const WRITERS = 32;

const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "notes.bench.gatewright.dev" },
  spec: {
    group: "bench.gatewright.dev",
    scope: "Namespaced",
    names: { plural: "notes", singular: "note", kind: "Note", listKind: "NoteList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { text: { type: "string" } } },
              status: {
                type: "object",
                properties: { observedGeneration: { type: "integer" }, ready: { type: "boolean" } },
              },
            },
          },
        },
      },
    ],
  },
};

async function expectDone(reply: Promise<Reply>): Promise<void> {
  const answer = await reply;
  if (answer.status >= 300) throw new Error(`the server answers ${answer.status}: ${answer.text()}`);
}

/** Defines the kind and creates `count` Notes that no controller has seen. */
export async function createNotes(ask: Ask, count: number): Promise<void> {
  const post = (path: string, body: unknown): Promise<void> =>
    expectDone(ask(path, { method: "POST", body: JSON.stringify(body) }));
  await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
  await post("/api/v1/namespaces", { metadata: { name: NAMESPACE } });
  while ((await ask(NOTES)).status !== 200);
  await many(count, WRITERS, (i) =>
    post(NOTES, {
      apiVersion: "bench.gatewright.dev/v1",
      kind: "Note",
      metadata: { name: `note-${i}`, labels: { app: "bench", shard: String(i % 10) } },
      spec: { text: text(i, 0) },
    }),
  );
}

/** Gives all Notes new texts and takes their children away: the whole work is there to be done again. */
export async function renewNotes(ask: Ask, count: number, round: number): Promise<void> {
  await many(count, WRITERS, (i) =>
    expectDone(
      ask(`${NOTES}/note-${i}`, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: JSON.stringify({ spec: { text: text(i, round) } }),
      }),
    ),
  );
  await expectDone(ask(`/api/v1/namespaces/${NAMESPACE}/configmaps`, { method: "DELETE" }));
}

/** Some 2 kB, as specs of real kinds have. */
function text(index: number, round: number): string {
  return `round ${round} of note ${index}: ${"x".repeat(2000)}`;
}

interface NoteView {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly status?: { readonly observedGeneration?: number; readonly ready?: boolean };
}

/** How many Notes are not yet done: one list, small because only metadata and status are looked at. */
export async function unfinished(ask: Ask): Promise<number> {
  const { items } = JSON.parse((await ask(`${NOTES}?resourceVersion=0`)).text()) as { items: readonly NoteView[] };
  return items.filter(
    ({ metadata, status }) => status?.ready !== true || status.observedGeneration !== metadata.generation,
  ).length;
}

/** Resolves when every Note is done. Asks seldom while much is left, so that the asking costs little. */
export async function whenFinished(ask: Ask, pause: (ms: number) => Promise<unknown>): Promise<void> {
  for (let left = await unfinished(ask); left > 0; left = await unfinished(ask))
    await pause(Math.min(2000, 100 + left / 5));
}
