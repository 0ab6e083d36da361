import { gunzipSync, inflateSync } from "node:zlib";
import type { Sink, Source } from "../../exchange/body.ts";
import type { Fields } from "../../exchange/fields.ts";

/** A message that is not what its method takes, or not framed as gRPC frames messages. */
export class GrpcMessageError extends Error {
  override readonly name = "GrpcMessageError";
}

const PREFIX = 5;
/** How large a message may be that is looked into, packed or not. gRPC's own default. */
const MAX_MESSAGE = 4 * 1024 * 1024;

/**
 * A stream of messages that are looked at one by one before they go on: `check` throws GrpcMessageError for those that must not. Then
 * `refused` decides: true, and the body breaks off without any part of that message; false, and everything from it on passes unseen.
 */
export function checkedMessages(
  source: Source,
  encoding: string | undefined,
  check: (message: Buffer) => void,
  refused: (error: GrpcMessageError) => boolean,
): Source {
  return {
    length: source.length,
    open: (sink) => source.open(new MessageSink(source, sink, encoding, check, refused)),
    cancel: () => source.cancel(),
  };
}

class MessageSink implements Sink {
  readonly #source: Source;
  readonly #sink: Sink;
  readonly #encoding: string | undefined;
  readonly #check: (message: Buffer) => void;
  readonly #refused: (error: GrpcMessageError) => boolean;
  #state: "looking" | "passing" | "over" = "looking";
  /** What came and was not passed on, and how much of it there has to be before it is looked at. */
  #held: Uint8Array[] = [];
  #size = 0;
  #needed = PREFIX;

  constructor(
    source: Source,
    sink: Sink,
    encoding: string | undefined,
    check: (message: Buffer) => void,
    refused: (error: GrpcMessageError) => boolean,
  ) {
    this.#source = source;
    this.#sink = sink;
    this.#encoding = encoding;
    this.#check = check;
    this.#refused = refused;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#state === "passing") return this.#sink.write(chunk);
    if (this.#state === "over") return false;
    this.#held.push(chunk);
    this.#size += chunk.length;
    return this.#size < this.#needed ? true : this.#look();
  }

  end(trailers?: Fields): void {
    if (this.#state === "looking" && this.#size > 0) this.#stop(new GrpcMessageError("a message is not whole"));
    if (this.#state !== "over") this.#sink.end(trailers);
  }

  abort(error: Error): void {
    if (this.#state !== "over") this.#sink.abort(error);
  }

  onDrain(listener: () => void): void {
    this.#sink.onDrain(listener);
  }

  /** Passes on the messages that are whole and good. */
  #look(): boolean {
    const bytes = Buffer.concat(this.#held);
    let at = 0;
    let more = true;
    try {
      for (;;) {
        const size = frameSize(bytes.subarray(at));
        this.#needed = size ?? PREFIX;
        if (size === undefined || bytes.length - at < size) break;
        this.#check(unpacked(bytes.subarray(at, at + size), this.#encoding));
        more = this.#sink.write(bytes.subarray(at, at + size));
        at += size;
      }
    } catch (error) {
      if (!(error instanceof GrpcMessageError)) throw error;
      this.#hold(bytes.subarray(at));
      return this.#stop(error);
    }
    this.#hold(bytes.subarray(at));
    return more;
  }

  #hold(bytes: Uint8Array): void {
    this.#held = bytes.length === 0 ? [] : [bytes];
    this.#size = bytes.length;
  }

  #stop(error: GrpcMessageError): boolean {
    if (this.#refused(error)) {
      this.#state = "over";
      this.#source.cancel();
      this.#sink.abort(error);
      return false;
    }
    this.#state = "passing";
    let more = true;
    for (const bytes of this.#held) more = this.#sink.write(bytes);
    this.#held = [];
    return more;
  }
}

/** How long the frame is that begins here, as soon as that can be known. */
function frameSize(bytes: Buffer): number | undefined {
  if (bytes.length < PREFIX) return undefined;
  const size = bytes.readUInt32BE(1);
  if (size > MAX_MESSAGE) throw new GrpcMessageError("a message is too large");
  return PREFIX + size;
}

function unpacked(frame: Buffer, encoding: string | undefined): Buffer {
  const message = frame.subarray(PREFIX);
  const flag = frame[0];
  if (flag === 0) return message;
  const unpack =
    flag === 1 ? (encoding === "gzip" ? gunzipSync : encoding === "deflate" ? inflateSync : undefined) : undefined;
  if (unpack === undefined) throw new GrpcMessageError("a message is packed in a way that is not known");
  try {
    return unpack(message, { maxOutputLength: MAX_MESSAGE });
  } catch {
    throw new GrpcMessageError("a message cannot be unpacked");
  }
}
