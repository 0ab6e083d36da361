import { s } from "@gatewright/kube/define";

const HEADER = String.raw`^[A-Za-z0-9!#$%&'*+\-.^_\x60|~]+$`;

/** The name of a header or of a query parameter. */
export const headerName = (description: string) =>
  s.string({ description, minLength: 1, maxLength: 256, pattern: HEADER });

const header = s.object({
  name: headerName("Name of the header; case does not matter."),
  value: s.string({ description: "Value of the header.", minLength: 1, maxLength: 4096 }),
});

const headers = (description: string) =>
  s.array(header, { description, maxItems: 16, listType: "map", listMapKeys: ["name"] }).optional();

/** Headers that are set, added and removed on the way. */
export const headerModifier = (description: string) =>
  s.object(
    {
      set: headers("Headers that replace those of the same name."),
      add: headers("Headers that are added to those of the same name."),
      remove: s
        .array(s.string(), { description: "Names of headers to drop.", maxItems: 16, listType: "set" })
        .optional(),
    },
    { description },
  );
