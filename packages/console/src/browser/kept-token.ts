const KEY = "gatewright-token";

/** The user's token. It stays in this tab, and goes with it. */
export const keptToken = {
  get(): string | undefined {
    return sessionStorage.getItem(KEY) ?? undefined;
  },
  set(token: string | undefined): void {
    if (token === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, token);
  },
};
