import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { cacheFolder } from "../../testbed/folders.ts";
import { MOTO_FOLDER } from "../../testbed/moto/versions.ts";

/** A service's model as its publisher writes it; only what is used of it. */
export interface PublishedModel {
  readonly metadata: {
    readonly apiVersion: string;
    readonly endpointPrefix: string;
    readonly protocol: "json" | "query" | "ec2" | "rest-xml";
    readonly jsonVersion?: string;
    readonly signingName?: string;
    readonly targetPrefix?: string;
    readonly xmlNamespace?: string;
    readonly awsQueryCompatible?: object;
  };
  readonly operations: Readonly<Record<string, PublishedOperation>>;
  readonly shapes: Readonly<Record<string, PublishedShape>>;
}

export interface PublishedOperation {
  readonly http: { readonly method: string; readonly requestUri: string; readonly responseCode?: number };
  readonly input?: {
    readonly shape: string;
    readonly locationName?: string;
    readonly xmlNamespace?: { readonly uri: string };
  };
  readonly output?: { readonly shape: string; readonly resultWrapper?: string };
  readonly errors?: readonly { readonly shape: string }[];
}

export interface PublishedUse {
  readonly shape: string;
  readonly location?: "uri" | "querystring" | "header" | "headers" | "statusCode";
  readonly locationName?: string;
  readonly queryName?: string;
  readonly flattened?: boolean;
  readonly xmlAttribute?: boolean;
  readonly xmlNamespace?: { readonly uri: string; readonly prefix?: string };
  readonly timestampFormat?: "iso8601" | "unixTimestamp" | "rfc822";
  readonly idempotencyToken?: boolean;
}

export interface PublishedShape {
  readonly type: string;
  readonly members?: Readonly<Record<string, PublishedUse>>;
  readonly required?: readonly string[];
  readonly payload?: string;
  readonly locationName?: string;
  readonly member?: PublishedUse;
  readonly key?: PublishedUse;
  readonly value?: PublishedUse;
  readonly flattened?: boolean;
  readonly enum?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly timestampFormat?: "iso8601" | "unixTimestamp" | "rfc822";
  readonly exception?: boolean;
  readonly error?: { readonly code?: string; readonly httpStatusCode?: number };
}

/** The folder of published models that comes with the test bed's emulation of AWS; undefined when that is not installed. */
export function publishedModels(): string | undefined {
  const pattern = join(cacheFolder(MOTO_FOLDER), "venv", "lib", "python3*", "site-packages", "botocore", "data");
  return globSync(pattern).sort().at(-1);
}

/** The newest version of a service's model. */
export function readPublishedModel(models: string, folder: string): PublishedModel {
  const version =
    globSync(join(models, folder, "*"))
      .sort()
      .at(-1) ?? folder;
  const packed = join(version, "service-2.json.gz");
  const text = existsSync(packed) ? gunzipSync(readFileSync(packed)) : readFileSync(join(version, "service-2.json"));
  return JSON.parse(text.toString("utf8")) as PublishedModel;
}
