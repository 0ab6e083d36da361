import type { Case, Step, Topic } from "../case.ts";
import { configMaps, create, read, replace } from "../steps.ts";

const one = create(
  configMaps,
  { metadata: { name: "a" }, data: { a: "b" } },
  { quiet: true, save: { revision: "metadata.resourceVersion", uid: "metadata.uid" } },
);
const put = (name: string, body: unknown, query = "", ...more: readonly Step[]): Case => ({
  name,
  steps: [one, replace(`${configMaps}/a${query}`, body), ...more],
});

export const topic: Topic = {
  cases: [
    put("without a resourceVersion", { metadata: { name: "a" }, data: { a: "c" } }),
    put("with the right resourceVersion", {
      metadata: { name: "a", resourceVersion: "{{revision}}" },
      data: { a: "c" },
    }),
    put("with an old resourceVersion", { metadata: { name: "a", resourceVersion: "1" } }),
    put("with a resourceVersion that is none", { metadata: { name: "a", resourceVersion: "abc" } }),
    put("with the right uid", { metadata: { name: "a", uid: "{{uid}}" }, data: { a: "c" } }),
    put("with another uid", { metadata: { name: "a", uid: "x" } }),
    put("with another name", { metadata: { name: "zz" } }),
    put("without a name", { metadata: {} }),
    put("with another namespace", { metadata: { name: "a", namespace: "other" } }),
    put("with another kind", { kind: "Service", metadata: { name: "a" } }),
    put("the same again changes nothing", { metadata: { name: "a" }, data: { a: "b" } }, "", read(`${configMaps}/a`)),
    put("takes away what is not there", { metadata: { name: "a" } }),
    put("that is not valid", { metadata: { name: "a" }, data: { "a b": "c" } }),
    put("as a dry run", { metadata: { name: "a" }, data: { a: "c" } }, "?dryRun=All", read(`${configMaps}/a`)),
    put("unknown fields are warned about", { metadata: { name: "a" }, more: 1 }),
    put("unknown fields are refused when asked", { metadata: { name: "a" }, more: 1 }, "?fieldValidation=Strict"),
    put("with a field manager", { metadata: { name: "a" }, data: { a: "c", d: "e" } }, "?fieldManager=me"),
    put("with a creationTimestamp", { metadata: { name: "a", creationTimestamp: "2020-01-01T00:00:00Z" } }),
    put("with a generation", { metadata: { name: "a", generation: 9 } }),
    put("with a deletionTimestamp", { metadata: { name: "a", deletionTimestamp: "2020-01-01T00:00:00Z" } }),
    put("with a generateName", { metadata: { name: "a", generateName: "b-" } }),
    put("without managedFields", { metadata: { name: "a", managedFields: [] }, data: { a: "b" } }),
    put("with managedFields that are reset", { metadata: { name: "a", managedFields: [{}] }, data: { a: "b" } }),
    put(
      "makes immutable",
      { metadata: { name: "a" }, immutable: true, data: { a: "b" } },
      "",
      replace(`${configMaps}/a`, { metadata: { name: "a" }, immutable: true, data: { a: "c" } }),
      replace(`${configMaps}/a`, { metadata: { name: "a" }, immutable: false, data: { a: "b" } }),
    ),
    {
      name: "an object that is not there",
      steps: [replace(`${configMaps}/not-there`, { metadata: { name: "not-there" } })],
    },
    {
      name: "an object that is not there, with a uid",
      steps: [replace(`${configMaps}/not-there`, { metadata: { name: "not-there", uid: "x" } })],
    },
    {
      name: "an object that is not there, with a resourceVersion",
      steps: [replace(`${configMaps}/not-there`, { metadata: { name: "not-there", resourceVersion: "5" } })],
    },
    {
      name: "adds a finalizer to what is being deleted",
      steps: [
        create(configMaps, { metadata: { name: "f", finalizers: ["example.com/a"] } }, { quiet: true }),
        { method: "DELETE", path: `${configMaps}/f` },
        replace(`${configMaps}/f`, { metadata: { name: "f", finalizers: ["example.com/a", "example.com/b"] } }),
        replace(`${configMaps}/f`, { metadata: { name: "f" } }),
        read(`${configMaps}/f`),
      ],
    },
  ],
};
