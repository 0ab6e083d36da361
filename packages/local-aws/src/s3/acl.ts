import type { Grant, Grantee } from "@gatewright/aws-wire/types/s3";
import { ownerOf } from "./owner.ts";
import { invalidArgument } from "./refusals.ts";

const ALL_USERS = "http://acs.amazonaws.com/groups/global/AllUsers";
const AUTHENTICATED_USERS = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers";
const LOG_DELIVERY = "http://acs.amazonaws.com/groups/s3/LogDelivery";

/** What requests can say of grants in their headers. */
export interface AclHeaders {
  readonly ACL?: string | undefined;
  readonly GrantFullControl?: string | undefined;
  readonly GrantRead?: string | undefined;
  readonly GrantReadACP?: string | undefined;
  readonly GrantWrite?: string | undefined;
  readonly GrantWriteACP?: string | undefined;
}

/** The grants of a request; undefined when it says nothing of them. */
export function grantsOf(request: AclHeaders, account: string): readonly Grant[] | undefined {
  const listed = [
    ...granted("FULL_CONTROL", request.GrantFullControl),
    ...granted("READ", request.GrantRead),
    ...granted("READ_ACP", request.GrantReadACP),
    ...granted("WRITE", request.GrantWrite),
    ...granted("WRITE_ACP", request.GrantWriteACP),
  ];
  if (request.ACL === undefined) return listed.length === 0 ? undefined : listed;
  if (listed.length > 0) {
    throw invalidArgument("Specifying both Canned ACLs and Header Grants is not allowed", "x-amz-acl", request.ACL);
  }
  return [...ownersGrants(account), ...canned(request.ACL)];
}

/** What the owner has unless something else is said. */
export function ownersGrants(account: string): readonly Grant[] {
  return [{ Grantee: { Type: "CanonicalUser", ...ownerOf(account) }, Permission: "FULL_CONTROL" }];
}

/** Whether somebody outside of the account is let in by one of these. */
export function isPublicAcl(grants: readonly Grant[]): boolean {
  return grants.some(({ Grantee: grantee }) => grantee?.URI === ALL_USERS || grantee?.URI === AUTHENTICATED_USERS);
}

function canned(name: string): readonly Grant[] {
  switch (name) {
    case "private":
    case "bucket-owner-full-control":
    case "bucket-owner-read":
      return [];
    case "public-read":
      return [toGroup(ALL_USERS, "READ")];
    case "public-read-write":
      return [toGroup(ALL_USERS, "READ"), toGroup(ALL_USERS, "WRITE")];
    case "authenticated-read":
      return [toGroup(AUTHENTICATED_USERS, "READ")];
    case "log-delivery-write":
      return [toGroup(LOG_DELIVERY, "WRITE"), toGroup(LOG_DELIVERY, "READ_ACP")];
    default:
      throw invalidArgument("", "x-amz-acl", name);
  }
}

function toGroup(uri: string, permission: string): Grant {
  return { Grantee: { Type: "Group", URI: uri }, Permission: permission };
}

/** `id="…", uri="…"`. */
function granted(permission: string, header: string | undefined): readonly Grant[] {
  if (header === undefined) return [];
  return header.split(",").map((item) => {
    const [, kind, value = ""] = /^\s*(id|uri|emailAddress)\s*=\s*"?([^"]*)"?\s*$/i.exec(item) ?? [];
    const grantee = granteeOf(kind?.toLowerCase(), value);
    if (grantee === undefined)
      throw invalidArgument("Argument format not recognized", `x-amz-grant-${permission}`, header);
    return { Grantee: grantee, Permission: permission };
  });
}

function granteeOf(kind: string | undefined, value: string): Grantee | undefined {
  switch (kind) {
    case "id":
      return { Type: "CanonicalUser", ID: value };
    case "uri":
      return { Type: "Group", URI: value };
    case "emailaddress":
      return { Type: "AmazonCustomerByEmail", EmailAddress: value };
    default:
      return undefined;
  }
}
