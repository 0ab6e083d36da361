/** Sends a request to the server that the page came from, and to no other. */
export function send(path: string, init: RequestInit): Promise<Response> {
  if (!path.startsWith("/") || path.startsWith("//")) throw new TypeError(`not a path of this server: ${path}`);
  return fetch(path, { ...init, credentials: "same-origin", redirect: "error", cache: "no-store" });
}
