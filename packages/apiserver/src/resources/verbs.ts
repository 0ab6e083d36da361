/** What can be done with a resource that is stored, in the order in which discovery has it. */
export const STORED_VERBS: readonly string[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];
