import { formatGroupVersion } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import type { Change, ChangeType, Entry } from "../store/store.ts";
import { blankOf } from "../writer/write-call.ts";
import { fromStorage } from "../writer/writer.ts";
import type { Representation } from "./negotiate.ts";
import { tableOf } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { bookmarkTable, parseIncludeObject, partialMetadata, table } from "./table.ts";
import type { TableShape } from "./table.ts";

/** An event as it goes over the wire, or a promise of it where a conversion webhook has to be asked. */
export type Frame = Buffer | Promise<Buffer>;

/** Makes the frames of one watch. Frames that look the same for every watcher are made once and shared. */
export interface FrameMaker {
  initial(entry: Entry): Frame;
  change(type: ChangeType, change: Change): Frame;
  bookmark(revision: number, endsInitialEvents: boolean): Buffer;
}

const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

const HEADS: Readonly<Record<ChangeType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const TAIL = Buffer.from("}\n");

function wrap(type: string, object: Json): Buffer {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}

/** Frames for the given representation. */
export function frameMaker(call: ResourceCall, representation: Representation): FrameMaker {
  if (representation.as === "table") return tableFrames(call, representation);
  const { resource, version } = call;
  const partial = representation.as === "partial" || representation.as === "partial-list";
  if (!partial && resource.servesStoredBytes(version.version)) return storedFrames(call);
  const { metaVersion } = representation;
  const show = (object: KubeObject): Json => (partial ? partialMetadata(object, metaVersion) : object);
  const name = `${partial ? `partial-${metaVersion}` : "json"}:${version.version}`;
  return convertedFrames(
    call,
    name,
    (type, object) => wrap(type, show(object)),
    (object) => show(object),
  );
}

/** The stored bytes between a head and a tail: one buffer for each change, whoever watches. */
function storedFrames(call: ResourceCall): FrameMaker {
  return {
    initial: (entry) => Buffer.concat([HEADS.ADDED, entry.bytes, TAIL]),
    change(type, change) {
      const left = type === "DELETED" && change.type !== "DELETED";
      const key = left ? "json:left" : `json:${type}`;
      let frame = change.frames.get(key);
      if (!frame) {
        frame = left ? wrap(type, lastSeen(call, change)) : Buffer.concat([HEADS[type], change.entry.bytes, TAIL]);
        change.frames.set(key, frame);
      }
      return frame;
    },
    bookmark: (revision, ends) => wrap("BOOKMARK", bookmarkObject(call, revision, ends)),
  };
}

/** An object that no longer matches a selector: its old content with the revision at which it left. */
function lastSeen(call: ResourceCall, change: Change): KubeObject {
  const object = tableOf(call).decode(change.previous ?? change.entry);
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(change.revision) } };
}

function eventObject(call: ResourceCall, type: ChangeType, change: Change): KubeObject {
  const left = type === "DELETED" && change.type !== "DELETED";
  return left ? lastSeen(call, change) : tableOf(call).decode(change.entry);
}

function convertedFrames(
  call: ResourceCall,
  name: string,
  encode: (type: ChangeType, object: KubeObject) => Buffer,
  showBookmark: (object: KubeObject) => Json,
): FrameMaker {
  const { resource, version } = call;
  const convert = (type: ChangeType, object: KubeObject): Frame => {
    if (resource.servesStoredBytes(version.version)) return encode(type, object);
    return fromStorage(resource, object, version.version).then((converted) => encode(type, converted));
  };
  return {
    initial: (entry) => convert("ADDED", tableOf(call).decode(entry)),
    change(type, change) {
      const key = `${name}:${type}`;
      const known = change.frames.get(key);
      if (known) return known;
      const frame = convert(type, eventObject(call, type, change));
      const keep = (bytes: Buffer): Buffer => {
        change.frames.set(key, bytes);
        return bytes;
      };
      return Buffer.isBuffer(frame) ? keep(frame) : frame.then(keep);
    },
    bookmark: (revision, ends) => wrap("BOOKMARK", showBookmark(bookmarkObject(call, revision, ends))),
  };
}

/** Tables are for people: ages are told as of now, so frames are not shared. Only the first names the columns. */
function tableFrames(call: ResourceCall, representation: Representation): FrameMaker {
  let first = true;
  const shape = (): TableShape => ({
    columns: call.version.columns,
    metaVersion: representation.metaVersion,
    include: parseIncludeObject(call.request.query),
    now: call.deps.clock.now(),
  });
  const row = (type: ChangeType, object: KubeObject): Buffer => {
    const metadata = { resourceVersion: object.metadata.resourceVersion ?? "" };
    const frame = wrap(type, table([object], metadata, shape(), first));
    first = false;
    return frame;
  };
  const show = (type: ChangeType, object: KubeObject): Frame => {
    const { resource, version } = call;
    if (resource.servesStoredBytes(version.version)) return row(type, object);
    return fromStorage(resource, object, version.version).then((converted) => row(type, converted));
  };
  return {
    initial: (entry) => show("ADDED", tableOf(call).decode(entry)),
    change: (type, change) => show(type, eventObject(call, type, change)),
    bookmark(revision, ends) {
      const object = { ...blankOf(call), ...bookmarkObject(call, revision, ends) };
      const frame = wrap("BOOKMARK", bookmarkTable(object, shape(), first));
      first = false;
      return frame;
    },
  };
}

function bookmarkObject(call: ResourceCall, revision: number, endsInitialEvents: boolean): KubeObject {
  const { resource, version } = call;
  const annotations: JsonObject = { [INITIAL_EVENTS_END]: "true" };
  return {
    kind: resource.kind,
    apiVersion: formatGroupVersion({ group: resource.group, version: version.version }),
    metadata: { resourceVersion: String(revision), ...(endsInitialEvents && { annotations }) },
  } as KubeObject;
}
