/** Who makes a request, as TokenReview and admission reviews tell it. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const MASTERS = "system:masters";
export const AUTHENTICATED = "system:authenticated";
export const UNAUTHENTICATED = "system:unauthenticated";

export const anonymous: UserInfo = { username: "system:anonymous", groups: [UNAUTHENTICATED] };

/** The server's own controllers. */
export const systemUser: UserInfo = {
  username: "system:apiserver",
  groups: [MASTERS, AUTHENTICATED],
};
