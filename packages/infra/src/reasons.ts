/** Why a condition is as it is: what stands in conditions and events, and what a person can do. */
export interface Reason {
  readonly reason: string;
  readonly means: string;
  /** What to do about it; empty where there is nothing to do but wait. */
  readonly remedy: string;
}

/** Every reason of AWSProvider and of the kinds that stand for AWS resources. The documentation's table is made from it. */
export const REASONS = {
  InSync: { reason: "InSync", means: "The resource is there and as the spec says.", remedy: "" },
  Looking: { reason: "Looking", means: "The resource is being read.", remedy: "" },
  Creating: { reason: "Creating", means: "The resource is being made.", remedy: "" },
  Adopting: { reason: "Adopting", means: "A resource that was there before is being taken over.", remedy: "" },
  Applying: { reason: "Applying", means: "The resource is being changed to what the spec says.", remedy: "" },
  Busy: { reason: "Busy", means: "AWS is working on the resource.", remedy: "" },
  Going: { reason: "Going", means: "The resource is being deleted in AWS, and not by this operator.", remedy: "" },
  Failed: {
    reason: "Failed",
    means: "The resource is there and does not work; the message has AWS's reason.",
    remedy: "Do what the message says.",
  },
  Deleting: {
    reason: "Deleting",
    means: "The object is being deleted; its resource goes or stays, as its deletionPolicy says.",
    remedy: "",
  },
  Replacing: { reason: "Replacing", means: "The resource is deleted and made anew, as was approved.", remedy: "" },
  Paused: {
    reason: "Paused",
    means: "Nothing is read or changed.",
    remedy: "Take management.paused or the annotation aws-infra-operator.runner.codes/paused away.",
  },
  WaitingForReference: {
    reason: "WaitingForReference",
    means: "Something that the spec refers to is not there yet.",
    remedy: "Make what the message names; it goes on by itself.",
  },
  NameTaken: {
    reason: "NameTaken",
    means: "An older object stands for the resource of this name.",
    remedy: "Delete one of the two, or choose another name.",
  },
  NotFound: {
    reason: "NotFound",
    means: "What should be looked at or taken over is not there.",
    remedy: "Check the name or the tags, the account and the region.",
  },
  Ambiguous: {
    reason: "Ambiguous",
    means: "More than one resource is meant.",
    remedy: "Let the tags of management.adopt.byTags be those of one resource only.",
  },
  Conflict: {
    reason: "Conflict",
    means: "A resource of this name exists that is not this object's by its tags. It is left alone.",
    remedy: "Choose another name; or set management.adopt.byName to take it over.",
  },
  Missing: {
    reason: "Missing",
    means:
      "The resource was there and is not any more. It holds data, or drift is only reported: it is not made anew by itself.",
    remedy: "Find out who deleted it; restore it, or approve the plan in the status.",
  },
  ReplacementNeeded: {
    reason: "ReplacementNeeded",
    means: "A field differs that AWS cannot change: only another resource can have it.",
    remedy: "Take the change back; or approve the plan in the status, which deletes the resource and makes it anew.",
  },
  WriteLoop: {
    reason: "WriteLoop",
    means: "A field was written again and again, and AWS has it otherwise each time.",
    remedy: "Find out who else writes it; or name it in management.drift.ignoreFields.",
  },
  Drifted: {
    reason: "Drifted",
    means: "Others changed the resource; status.drift has the fields. It is only reported.",
    remedy: "Take the change into the spec, undo it in AWS, or set management.drift.mode to Repair.",
  },
  DeletionProtected: {
    reason: "DeletionProtected",
    means: "The resource is protected against deletion.",
    remedy: "Take the protection away; or let the object go with deletionPolicy Retain.",
  },
  NotEmpty: {
    reason: "NotEmpty",
    means: "The resource holds something that would be lost.",
    remedy: "Empty it, allow it with forceDestroy, or let the object go with deletionPolicy Retain.",
  },
  Authenticated: { reason: "Authenticated", means: "AWS takes the credentials of the provider.", remedy: "" },
  ProviderNotReady: {
    reason: "ProviderNotReady",
    means:
      "The AWSProvider that the object names is not there, does not let its namespace in, or AWS does not take its credentials.",
    remedy: "Look at the conditions of the AWSProvider; for one of another namespace, at its allowedNamespaces.",
  },
  CredentialsMissing: {
    reason: "CredentialsMissing",
    means: "A Secret that the provider names is not there, may not be used from its namespace, or lacks a key.",
    remedy:
      "Make the Secret with the keys that the spec names. One of another namespace needs the annotation aws-infra-operator.runner.codes/allowed-namespaces.",
  },
  NoOwnIdentity: {
    reason: "NoOwnIdentity",
    means: "The provider names no credentials, and the operator has none of its own.",
    remedy: "Name a Secret, or give the operator's service account a role (IRSA, Pod Identity).",
  },
  EndpointNotAllowed: {
    reason: "EndpointNotAllowed",
    means:
      "The endpoint leads to an address that providers may not use, or would be shown the operator's own identity.",
    remedy: "Use another endpoint, or credentials from a Secret; or let the operator's settings trust this endpoint.",
  },
  RoleNotAllowed: {
    reason: "RoleNotAllowed",
    means: "The platform does not let this namespace use this identity of the operator.",
    remedy: "Ask the platform team to add the role to the operator's allowedRoles, or use credentials of your own.",
  },
  AuthenticationFailed: {
    reason: "AuthenticationFailed",
    means: "AWS refused the credentials.",
    remedy:
      "Put keys into the Secret that are active and complete; temporary ones need their session token and end by themselves.",
  },
  RoleDenied: {
    reason: "RoleDenied",
    means: "AWS does not let the role be assumed.",
    remedy:
      "Let the role's trust policy name who assumes it, with the same externalID, and let that identity call sts:AssumeRole.",
  },
  Unreachable: {
    reason: "Unreachable",
    means: "AWS gave no answer, or none that is AWS's.",
    remedy: "Check the region and the endpoint, and that the operator can reach it.",
  },
  WrongAccount: {
    reason: "WrongAccount",
    means: "The credentials are those of another account than the provider's accountID.",
    remedy: "Use credentials of that account, or change accountID.",
  },
  AccountChanged: {
    reason: "AccountChanged",
    means: "The provider leads to another account or region than the one that resources are in.",
    remedy:
      "Bring the old credentials or region back; or let the objects go with deletionPolicy Retain and make them anew.",
  },
  InUse: {
    reason: "InUse",
    means: "Others still use it, so it is not deleted under them.",
    remedy: "Delete those who use it, or let them use another.",
  },
  SnapshotImpossible: {
    reason: "SnapshotImpossible",
    means: "The final snapshot that the policy asks for cannot be taken in the state that the database is in.",
    remedy: "Repair the database; or give up its data with deletionPolicy Delete and skipFinalSnapshot.",
  },
  StopNeeded: {
    reason: "StopNeeded",
    means: "What differs can only be changed while the instance is stopped, and the spec does not allow that.",
    remedy: "Set allowStopForChanges, or stop the instance at a time that suits you.",
  },
  NotNow: {
    reason: "NotNow",
    means: "A change waits for another one that AWS is still at work on. It goes on by itself.",
    remedy: "",
  },
  OutputsTaken: {
    reason: "OutputsTaken",
    means: "The Secret or ConfigMap that outputs should go to is not this object's: it is left as it is.",
    remedy: "Delete it, or choose another name in writeOutputsTo.",
  },
  OutputsInvalid: {
    reason: "OutputsInvalid",
    means:
      "What writeOutputsTo says cannot be written: it names an output that there is not, or the API server refuses it.",
    remedy: "Change writeOutputsTo.data as the message says.",
  },
  Throttled: { reason: "Throttled", means: "AWS asks for fewer calls. It is tried again by itself.", remedy: "" },
  Transient: { reason: "Transient", means: "AWS cannot do it at the moment. It is tried again by itself.", remedy: "" },
  Denied: {
    reason: "Denied",
    means: "AWS does not allow it. The message names the missing action.",
    remedy: "Give the provider's identity the action that is named; it is tried again every five minutes.",
  },
  DependencyMissing: {
    reason: "DependencyMissing",
    means: "Something in AWS that the spec names is not there, or not yet.",
    remedy: "Make what the message names, or change the spec; it is tried again every minute.",
  },
  QuotaExceeded: {
    reason: "QuotaExceeded",
    means: "A limit of the account, or AWS's capacity, is reached.",
    remedy: "Ask AWS for a higher quota, or delete what is not needed.",
  },
  Invalid: {
    reason: "Invalid",
    means: "AWS refuses what the spec says.",
    remedy: "Change the spec as the message says.",
  },
  NameConflict: {
    reason: "NameConflict",
    means: "The name is taken in AWS by something that this object cannot see or must not touch.",
    remedy: "Choose another name, or wait until the name is free.",
  },
  Unknown: {
    reason: "Unknown",
    means: "No answer came from AWS: whether it was done is being found out before anything else.",
    remedy: "",
  },
} as const satisfies Readonly<Record<string, Reason>>;
