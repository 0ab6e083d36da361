import { AwsError } from "../aws-error.ts";
import type { StoredObject } from "./records.ts";
import { noSuchKey, preconditionFailed } from "./refusals.ts";

/** What a read can make depend on the object. */
export interface ReadConditions {
  readonly IfMatch?: string | undefined;
  readonly IfNoneMatch?: string | undefined;
  readonly IfModifiedSince?: number | undefined;
  readonly IfUnmodifiedSince?: number | undefined;
}

/** Refuses a read: with 412 when the object is not as asked for, with 304 when the reader has it already. */
export function checkRead(conditions: ReadConditions, object: StoredObject): void {
  const { IfMatch: match, IfNoneMatch: noneMatch } = conditions;
  // Times are told in whole seconds.
  const modified = Math.floor(object.modified / 1000) * 1000;
  if (match !== undefined && !matches(match, object.etag)) throw preconditionFailed("If-Match");
  if (match === undefined && conditions.IfUnmodifiedSince !== undefined && modified > conditions.IfUnmodifiedSince) {
    throw preconditionFailed("If-Unmodified-Since");
  }
  const unchanged =
    noneMatch === undefined
      ? conditions.IfModifiedSince !== undefined && modified <= conditions.IfModifiedSince
      : matches(noneMatch, object.etag);
  if (unchanged) {
    throw new AwsError("NotModified", "Not Modified", {
      status: 304,
      headers: { etag: object.etag, "last-modified": new Date(object.modified).toUTCString() },
    });
  }
}

/** Refuses a write over an object that is not as asked for. */
export function checkWrite(
  { IfMatch: match, IfNoneMatch: noneMatch }: Pick<ReadConditions, "IfMatch" | "IfNoneMatch">,
  key: string,
  current: StoredObject | undefined,
): void {
  if (noneMatch !== undefined) {
    if (noneMatch !== "*") {
      throw new AwsError("NotImplemented", "A header you provided implies functionality that is not implemented", {
        status: 501,
        details: { Header: "If-None-Match" },
      });
    }
    if (current !== undefined) throw preconditionFailed("If-None-Match");
  }
  if (match !== undefined) {
    if (current === undefined) throw noSuchKey(key);
    if (!matches(match, current.etag)) throw preconditionFailed("If-Match");
  }
}

/** Whether an ETag is one of a list; quotes may be left out. */
export function matches(list: string, etag: string): boolean {
  return list.split(",").some((item) => {
    const text = item.trim();
    return text === "*" || (text.startsWith('"') ? text : `"${text}"`) === etag;
  });
}
