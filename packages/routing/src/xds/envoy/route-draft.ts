import type { Any } from "@bufbuild/protobuf/wkt";
import type { RouteActionSchema, HeaderValueOptionSchema } from "@gatewright/gateway-wire/xds";
import { HeaderValueOption_HeaderAppendAction } from "@gatewright/gateway-wire/xds";
import type { Init } from "./packed.ts";

type HeaderOption = Init<typeof HeaderValueOptionSchema>;
export type RouteActionInit = Init<typeof RouteActionSchema>;

/** Something of an object that Envoy does not do as our gateway does. */
export interface Shortfall {
  readonly field: string;
  readonly message: string;
  /** It is left out for it. */
  readonly refused?: true;
}

/** How a field with several values is written. */
const { OVERWRITE_IF_EXISTS_OR_ADD, APPEND_IF_EXISTS_OR_ADD } = HeaderValueOption_HeaderAppendAction;

/** What all rows of one route have in common, while its features add to it. */
export class RouteDraft {
  /** `typed_per_filter_config`, by the name of the filter. */
  readonly filters = new Map<string, Any>();
  /** Over TLS in place of, or besides, the others. */
  readonly secureFilters = new Map<string, Any>();
  readonly secureResponseHeaders: HeaderOption[] = [];
  /** Paths that need no authentication. */
  readonly skipPaths: string[] = [];
  readonly requestHeaders: HeaderOption[] = [];
  readonly requestHeadersGone: string[] = [];
  readonly responseHeaders: HeaderOption[] = [];
  readonly responseHeadersGone: string[] = [];
  readonly shortfalls: Shortfall[] = [];
  #isClosed = false;

  /** Something that protects cannot be had: the route answers 503 to everything. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The route works, but for this. */
  lacks(field: string, message: string): void {
    this.shortfalls.push({ field: `spec.${field}`, message: `on Envoy: ${message}` });
  }

  /** Without this the route would let through what it must not. */
  close(field: string, message: string): void {
    this.#isClosed = true;
    this.shortfalls.push({ field: `spec.${field}`, message: `on Envoy: ${message}; the route answers 503 there` });
  }

  /** The route cannot be given to Envoy at all. */
  refuse(field: string, message: string): void {
    this.shortfalls.push({ field: `spec.${field}`, message: `on Envoy: ${message}`, refused: true });
  }

  setRequestHeader(name: string, value: string): void {
    this.requestHeaders.push(setHeader(name, value));
  }

  addRequestHeader(name: string, value: string): void {
    this.requestHeaders.push(headerOption(name, value, APPEND_IF_EXISTS_OR_ADD));
  }

  setResponseHeader(name: string, value: string): void {
    this.responseHeaders.push(setHeader(name, value));
  }

  /** Told over TLS only. */
  setSecureResponseHeader(name: string, value: string): void {
    this.secureResponseHeaders.push(setHeader(name, value));
  }

  addResponseHeader(name: string, value: string): void {
    this.responseHeaders.push(headerOption(name, value, APPEND_IF_EXISTS_OR_ADD));
  }
}

/** A field that gets this value, and no other. */
export function setHeader(name: string, value: string): HeaderOption {
  return headerOption(name, value, OVERWRITE_IF_EXISTS_OR_ADD);
}

/** A field as it is: percent signs stand for themselves. */
function headerOption(name: string, value: string, appendAction: HeaderValueOption_HeaderAppendAction): HeaderOption {
  return {
    header: { key: name.toLowerCase(), value: value.replaceAll("%", "%%") },
    appendAction,
    keepEmptyValue: true,
  };
}
