import type { BackendSpec } from "@gatewright/resources";
import type { BackendDraft } from "../backend-draft.ts";
import { FILES_MESSAGE, namesFile } from "../certificates.ts";
import type { CertificatePair } from "../certificates.ts";

type CredentialsSpec = NonNullable<BackendSpec["authentication"]>;

/** How a backend is shown who asks. Returns the certificate for it, if that is the way. */
export function credentials(spec: CredentialsSpec, draft: BackendDraft): CertificatePair | undefined {
  const { type, basic, jwt, mtls } = spec;
  if (type === "basic" && basic?.enabled === true) {
    const { username = "", password = "" } = basic;
    if (username === "") draft.lacks("authentication.basic.vaultPath", "is not read: nothing is sent");
    else
      draft.requestHeaders.push([
        "authorization",
        `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      ]);
  }
  if (type === "jwt" && jwt?.enabled === true) {
    const { staticToken = "", headerName, headerPrefix } = jwt;
    if (jwt.tokenSource === "static" && staticToken !== "")
      draft.requestHeaders.push([
        headerName.toLowerCase(),
        headerPrefix === "" ? staticToken : `${headerPrefix} ${staticToken}`,
      ]);
    else draft.lacks("authentication.jwt.tokenSource", "only static tokens are sent");
  }
  if (type !== "mtls" || mtls?.enabled !== true) return undefined;
  const { certFile = "", keyFile = "" } = mtls;
  for (const [field, text] of Object.entries({ certFile, keyFile })) {
    if (!namesFile(text)) continue;
    draft.close(`authentication.mtls.${field}`, FILES_MESSAGE);
    return undefined;
  }
  if (certFile !== "" && keyFile !== "") return { certFile, keyFile };
  draft.lacks("authentication.mtls.vault", "is not read: no certificate is shown");
  return undefined;
}
