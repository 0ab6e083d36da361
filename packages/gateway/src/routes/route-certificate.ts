import { createSecureContext } from "node:tls";
import type { Around } from "../filters/around.ts";
import { certificateNames } from "../listeners/certificate-names.ts";
import type { CompileAround } from "./compile-around.ts";

/** A certificate that a route brings for its hosts. Holds a key. */
export interface RouteCertificate {
  /** Lower-case; may begin with `*.`. */
  readonly hosts: readonly string[];
  /** PEM, with those that lead to its root. */
  readonly certificate: string;
  readonly key: string;
}

interface RouteCertificateSpec {
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly sniHosts?: readonly string[] | undefined;
}

/**
 * The certificate that a route brings: in its spec, or in files that are read now. It is for `sniHosts`, or else the route's hosts,
 * or else the names in it. One that cannot be used leaves the route out.
 */
export function routeCertificate(
  { tls, hosts }: { readonly tls?: RouteCertificateSpec | undefined; readonly hosts?: readonly string[] | undefined },
  { note }: Pick<Around, "note">,
  { readFile }: Pick<CompileAround, "readFile">,
): RouteCertificate | undefined {
  const found = tls && pairOf(tls, readFile, note);
  if (tls === undefined || found === undefined) return undefined;
  const [certificate, key] = found;
  try {
    createSecureContext({ cert: certificate, key });
  } catch {
    // What OpenSSL says may hold parts of what it was given.
    note({
      severity: "error",
      field: "spec.tls",
      message: "certificate and key cannot be read, or do not belong together",
    });
    return undefined;
  }
  const named = [tls.sniHosts, hosts].find((each) => each !== undefined && each.length > 0);
  return { hosts: (named ?? certificateNames(certificate)).map((host) => host.toLowerCase()), certificate, key };
}

function pairOf(
  { certificate = "", key = "", certFile = "", keyFile = "" }: RouteCertificateSpec,
  readFile: CompileAround["readFile"],
  note: Around["note"],
): readonly [certificate: string, key: string] | undefined {
  if (certificate !== "" && key !== "") return [certificate, key];
  if (certFile === "" || keyFile === "") return undefined;
  try {
    const [cert, secret] = [readFile(certFile), readFile(keyFile)];
    return cert === "" || secret === "" ? undefined : [cert, secret];
  } catch {
    note({ severity: "error", field: "spec.tls.certFile", message: `${certFile} and ${keyFile} cannot be read` });
    return undefined;
  }
}
