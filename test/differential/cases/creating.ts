import type { Topic } from "../case.ts";
import { configMaps, create, created, read } from "../steps.ts";

export const topic: Topic = {
  cases: [
    ...created(configMaps, {
      "a ConfigMap": { metadata: { name: "a" }, data: { a: "b" } },
      "metadata that only the server sets": {
        metadata: { name: "a", uid: "abc", generation: 7, selfLink: "x", deletionTimestamp: "2020-01-01T00:00:00Z" },
      },
      "another namespace than that of the URL": { metadata: { name: "a", namespace: "other" } },
      "another kind": { kind: "Secret", metadata: { name: "a" } },
      "another apiVersion": { kind: "ConfigMap", apiVersion: "v2", metadata: { name: "a" } },
      "no name": { metadata: {} },
      "no metadata": {},
      "a generated name": { metadata: { generateName: "made-" } },
      "a name with capitals and underscores": { metadata: { name: "A_B" } },
      "a name that is too long": { metadata: { name: "a".repeat(254) } },
      "a generated name that is not valid": { metadata: { generateName: "Not_Valid" } },
      "a list instead of an object": "[]",
      "no body": "",
      "a body that is not JSON": "{bad",
      null: "null",
      "a string": '"x"',
      "a resourceVersion": { metadata: { name: "b", resourceVersion: "5" } },
      "a key with a space": { metadata: { name: "c" }, data: { "a b": "x" } },
      "the same key in data and binaryData": { metadata: { name: "c" }, data: { a: "x" }, binaryData: { a: "eA==" } },
      "binary data that is not base64": { metadata: { name: "c" }, binaryData: { a: "!" } },
      "labels and annotations that are not valid": {
        metadata: { name: "c", labels: { "-x": "!" }, annotations: { "a/b/c": "d" } },
      },
      "a label value that is too long": { metadata: { name: "c", labels: { a: "b".repeat(64) } } },
      "annotations that are too large": { metadata: { name: "c", annotations: { a: "b".repeat(262_145) } } },
      "a finalizer without a domain": { metadata: { name: "c", finalizers: ["x"] } },
      "a finalizer that is not valid": { metadata: { name: "c", finalizers: ["not valid"] } },
      "the same finalizer twice": { metadata: { name: "c", finalizers: ["a/b", "a/b"] } },
      "__proto__ as a name": { metadata: { name: "__proto__" } },
      "a number in data": { metadata: { name: "i" }, data: { a: 1 } },
      "a number as a label": { metadata: { name: "i", labels: { a: 1 } } },
      "a string as metadata": { metadata: "x" },
      "a list as labels": { metadata: { name: "i", labels: [] } },
      "a time that is none": { metadata: { name: "i", creationTimestamp: "yesterday" } },
      "null as data": { metadata: { name: "i" }, data: null },
      "null as a value": { metadata: { name: "i" }, data: { a: null } },
      "an owner without a uid": {
        metadata: { name: "i", ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x" }] },
      },
      "an owner that is not complete": { metadata: { name: "i", ownerReferences: [{}] } },
      "two controlling owners": {
        metadata: {
          name: "i",
          ownerReferences: ["x", "y"].map((name) => ({
            apiVersion: "v1",
            kind: "Pod",
            name,
            uid: name,
            controller: true,
          })),
        },
      },
      "an Event as an owner": {
        metadata: { name: "i", ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "x", uid: "u" }] },
      },
      "managedFields of one's own": {
        metadata: {
          name: "i",
          managedFields: [
            { manager: "me", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} },
          ],
        },
        data: { a: "b" },
      },
      "managedFields that are not valid": { metadata: { name: "i", managedFields: [{ operation: "Nonsense" }] } },
      "data beyond a megabyte": { metadata: { name: "i" }, data: { a: "x".repeat(1_048_577) } },
      "immutable from the start": { metadata: { name: "i" }, immutable: true, data: { a: "b" } },
    }),
    {
      name: "__proto__ and constructor as keys",
      steps: [
        create(configMaps, '{"metadata":{"name":"proto"},"data":{"__proto__":"x","constructor":"y"}}'),
        read(`${configMaps}/proto`),
      ],
    },
    {
      name: "the same name twice",
      steps: [create(configMaps, { metadata: { name: "a" } }), create(configMaps, { metadata: { name: "a" } })],
    },
    {
      name: "unknown fields are refused when asked",
      steps: [create(`${configMaps}?fieldValidation=Strict`, { metadata: { name: "d", foo: 1 }, bar: 1 })],
    },
    {
      name: "unknown fields are warned about",
      steps: [create(configMaps, { metadata: { name: "d", foo: 1 }, bar: 1 })],
    },
    {
      name: "unknown fields are ignored when asked",
      steps: [create(`${configMaps}?fieldValidation=Ignore`, { metadata: { name: "e" }, bar: 1 })],
    },
    {
      name: "a fieldValidation that is none",
      steps: [create(`${configMaps}?fieldValidation=Maybe`, { metadata: { name: "e" } })],
    },
    {
      name: "duplicate keys are warned about",
      steps: [create(configMaps, '{"metadata":{"name":"f"},"data":{"a":"1","a":"2"}}')],
    },
    {
      name: "duplicate keys are refused when asked",
      steps: [create(`${configMaps}?fieldValidation=Strict`, '{"metadata":{"name":"f"},"data":{"a":"1","a":"2"}}')],
    },
    {
      name: "a dry run leaves nothing",
      steps: [create(`${configMaps}?dryRun=All`, { metadata: { name: "g" } }), read(`${configMaps}/g`)],
    },
    { name: "a dryRun that is none", steps: [create(`${configMaps}?dryRun=x`, { metadata: { name: "g" } })] },
    {
      name: "a dry run with a generated name",
      steps: [create(`${configMaps}?dryRun=All`, { metadata: { generateName: "g-" } })],
    },
    {
      name: "a field manager",
      steps: [create(`${configMaps}?fieldManager=me`, { metadata: { name: "h" }, data: { x: "y" } })],
    },
    {
      name: "a field manager that is too long",
      steps: [create(`${configMaps}?fieldManager=${"m".repeat(129)}`, { metadata: { name: "h" } })],
    },
    {
      name: "a field manager that cannot be printed",
      steps: [create(`${configMaps}?fieldManager=a%00b`, { metadata: { name: "h" } })],
    },
    {
      name: "YAML",
      steps: [
        create(configMaps, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yy}\ndata: {a: b}\n", {
          type: "application/yaml",
        }),
      ],
    },
    {
      name: "YAML with unknown fields",
      steps: [create(configMaps, "metadata: {name: yy}\nmore: 1\n", { type: "application/yaml" })],
    },
    { name: "a media type that nobody knows", steps: [create(configMaps, "x", { type: "text/plain" })] },
    {
      name: "a media type with parameters",
      steps: [create(configMaps, { metadata: { name: "p" } }, { type: "application/json; charset=utf-8" })],
    },
    {
      name: "in a namespace that is not there",
      steps: [create("/api/v1/namespaces/not-there/configmaps", { metadata: { name: "x" } })],
    },
    { name: "at the path of an object", steps: [create(`${configMaps}/a`, { metadata: { name: "a" } })] },
    {
      name: "at the path of all namespaces",
      steps: [create("/api/v1/configmaps", { metadata: { name: "a", namespace: "default" } })],
    },
    {
      name: "with a time-out that is not valid",
      steps: [create(`${configMaps}?timeout=abc`, { metadata: { name: "a" } })],
    },
  ],
};
