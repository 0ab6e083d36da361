/** Another user to act as. */
export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The headers by which one user acts as another. Each group is a header of its own. */
export function impersonationHeaders(impersonate: Impersonation): Readonly<Record<string, string | readonly string[]>> {
  const headers: Record<string, string | readonly string[]> = { "impersonate-user": impersonate.user };
  if (impersonate.groups !== undefined && impersonate.groups.length > 0) {
    headers["impersonate-group"] = impersonate.groups;
  }
  if (impersonate.uid !== undefined) headers["impersonate-uid"] = impersonate.uid;
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    headers[`impersonate-extra-${escapeKey(key)}`] = values;
  }
  return headers;
}

/** Header names hold few characters; the server reads the others percent-encoded. */
function escapeKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => String.fromCharCode(byte))
    .map((char) =>
      /[A-Za-z0-9!#$&'*+.^_`|~-]/.test(char)
        ? char
        : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");
}
